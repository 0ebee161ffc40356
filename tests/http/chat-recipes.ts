import { isDataUIPart, isToolUIPart, type PrepareSendMessagesRequest, type UIMessage } from 'ai'

/** For `sendAutomaticallyWhen`: sends each new answer at once, and only once. */
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
    .filter(part => !part.providerExecuted && answerStates.has(part.state))
    .map(part => `${part.toolCallId} ${part.state}`)

const answerStates = new Set(['approval-responded', 'output-available', 'output-error'])

/** For `onFinish`: reloads the messages if the SDK wrote the reply into an earlier message. */
export function inOrder(load: () => Promise<UIMessage[]>, show: (messages: UIMessage[]) => void) {
  return async ({ message, messages }: { message: UIMessage; messages: UIMessage[] }) => {
    if (message.id !== messages.at(-1)?.id) show(await load())
  }
}

/** Loads the last 50 messages of a session: `loadMessages('/api/sessions/my-session')`. */
export async function loadMessages(url: string, headers: HeadersInit = {}): Promise<UIMessage[]> {
  const response = await fetch(url, { headers })
  if (response.status === 404) return []
  return (await response.json()).messages
}

/** Stops the current turn: `stopTurn('/api/sessions/my-session/cancel')`. */
export async function stopTurn(url: string, headers: HeadersInit = {}): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}'
  })
}

/** For `prepareSendMessagesRequest`: sends only the messages that can be new or changed. */
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
