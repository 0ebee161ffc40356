import { isDataUIPart, isToolUIPart, type PrepareSendMessagesRequest, type UIMessage } from 'ai'

/** For `sendAutomaticallyWhen`: sends each answer as soon as it is given, and each once. */
export function eachAnswer(loaded: UIMessage[] = []) {
  const sent = new Set(answersIn(loaded))
  return ({ messages }: { messages: UIMessage[] }) => {
    const fresh = answersIn(messages).filter(answer => !sent.has(answer))
    for (const answer of fresh) sent.add(answer)
    return fresh.length > 0
  }
}

const answersIn = (messages: UIMessage[]) =>
  messages
    .flatMap(({ parts }) => parts)
    .filter(isToolUIPart)
    .filter(part => !part.providerExecuted && given.has(part.state))
    .map(part => `${part.toolCallId} ${part.state}`)

const given = new Set(['approval-responded', 'output-available', 'output-error'])

/** For `onFinish`: a reply that the SDK wrote into an earlier message is shown where it belongs. */
export function inOrder(load: () => Promise<UIMessage[]>, show: (messages: UIMessage[]) => void) {
  return async ({ message, messages }: { message: UIMessage; messages: UIMessage[] }) => {
    if (message.id !== messages.at(-1)?.id) show(await load())
  }
}

/** The session's last 50 messages: `loadMessages('/api/sessions/my-session')`. */
export async function loadMessages(url: string, headers: HeadersInit = {}): Promise<UIMessage[]> {
  const response = await fetch(url, { headers })
  if (response.status === 404) return []
  return (await response.json()).messages
}

/** Stops the turn that runs now: `stopTurn('/api/sessions/my-session/cancel')`. */
export async function stopTurn(url: string, headers: HeadersInit = {}): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}'
  })
}

/** For `prepareSendMessagesRequest`: of a long conversation, only what can have something new in it. */
export const onlyWhatMayBeNew: PrepareSendMessagesRequest<UIMessage> = ({ body, messages, ...rest }) => ({
  body: {
    ...body,
    id: rest.id,
    trigger: rest.trigger,
    messageId: rest.messageId,
    messages: messages.filter(
      ({ parts }, i) =>
        i === messages.length - 1 || parts.some(part => isToolUIPart(part) || isDataUIPart(part))
    )
  }
})
