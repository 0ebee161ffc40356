import { ApiError } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Conversation, ConversationEvent } from '@waystation/plugin-host/contract.ts'
import type { Message, UserPart } from '@waystation/protocol/session/message.ts'
import { inTransaction } from '#db/transaction.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { addEntries } from '#lib/engine/context/context-entries.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { toConversationEvents } from './events-to-conversation.ts'

/**
 * Runs a conversation with an agent for a plugin that calls back (003-17). It creates a normal session, which
 * people can see, answer and continue, and adds `history` to it. The conversation ends when the agent is done,
 * and includes all waits for approvals and answers. If the plugin disconnects, the turn is stopped and its open
 * calls are canceled.
 */
export async function* converse(
  ctx: Ctx,
  agentId: string | undefined,
  { input, history, signal }: Conversation
): AsyncGenerator<ConversationEvent> {
  if (agentId === undefined) {
    const message = 'The workspace file has no default agent. Add an agent to the file, or set default_agent.'
    yield { type: 'error', agent: '', message }
    return
  }
  const started = await startConversation(ctx, agentId, { input, history }).catch(expectApiError)
  if (started instanceof ApiError) {
    yield { type: 'error', agent: agentId, message: started.message }
    return
  }
  const { sessionId, cursor } = started
  let ended = false
  try {
    const events = await followSession(ctx, { sessionId, after: cursor }, signal)
    for await (const event of toConversationEvents(events, { agentId, sessionId })) {
      ended = !signal.aborted && (event.type === 'finish' || event.type === 'error')
      yield event
      if (ended) return
    }
  } finally {
    if (!ended) await cancelTurn(ctx, { sessionId, calls: true }).catch(expectApiError)
  }
}

/** An ApiError is expected, for example if the session was deleted in the meantime. Other errors are thrown. */
function expectApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

/**
 * Creates the session with its history and sends the input. Events after `cursor` belong to the conversation.
 */
async function startConversation(
  ctx: Ctx,
  agentId: string,
  { input, history }: Pick<Conversation, 'input' | 'history'>
): Promise<{ sessionId: string; cursor: number }> {
  return inTransaction(ctx, async tx => {
    const { sessionId } = await createSession(tx, { agentId })
    const session = await lockSession(tx, sessionId)
    const turnId = newId('turn')
    const messages = history.map(entry => toMessage(tx, entry, session.now))
    const seqBefore = session.seq
    const cursor = append(
      tx,
      session,
      messages.map(message => ({ type: 'message', message }))
    )
    for (const [index, message] of messages.entries())
      await addMessage(tx, session, message, seqBefore + index + 1, { done: true })
    await addEntries(
      tx,
      session,
      messages.map(({ id: messageId, role, parts }) =>
        role === 'user'
          ? {
              kind: 'user',
              turnId,
              messageId,
              payload: { parts },
              tokens: countPartTokens(parts as UserPart[])
            }
          : {
              kind: 'step',
              turnId,
              messageId,
              payload: { content: parts, callIds: [] },
              tokens: countTokens(JSON.stringify(parts))
            }
      )
    )
    await sendMessage(tx, { sessionId, text: input, whenBusy: 'queue' })
    return { sessionId, cursor }
  })
}

const toMessage = (
  ctx: Ctx,
  { role, content }: Conversation['history'][number],
  createdAt: string
): Message => ({
  id: newId('msg'),
  role,
  metadata: { createdAt, ...(role === 'user' ? { sentBy: ctx.actor.name } : {}) },
  parts: [{ type: 'text', text: redacted(ctx, role === 'user' ? 'message' : 'model', content) }]
})
