import { inTransaction } from '#db/transaction.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { addEntries } from '#lib/engine/context/context-entries.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { Conversation, ConversationEvent } from '#lib/kernel/ports/plugin-host.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Message, UserPart } from '#lib/protocol/session/message.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { toConversationEvents } from './events-to-conversation.ts'

/**
 * A conversation with an agent for a plugin that calls back (003-17): a session like any other, which people see, can answer in
 * and go on with, begun with what was said before. It lasts until the agent is done, over every wait for an approval or an
 * answer. When the plugin goes away, it is stopped, and what is open in it is cancelled.
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
  const begun = await begin(ctx, agentId, { input, history }).catch(refusalOf)
  if (begun instanceof Refusal) {
    yield { type: 'error', agent: agentId, message: begun.message }
    return
  }
  const { sessionId, cursor } = begun
  let over = false
  try {
    const events = await followSession(ctx, { sessionId, after: cursor }, signal)
    for await (const told of toConversationEvents(events, { agentId, sessionId })) {
      over = !signal.aborted && (told.type === 'finish' || told.type === 'error')
      yield told
      if (over) return
    }
  } finally {
    if (!over) await cancelTurn(ctx, { sessionId, calls: true }).catch(refusalOf)
  }
}

/** A session that was deleted meanwhile, say, is no fault of ours. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** The session with what was said before, and the input sent to it; `cursor`: what comes after is news. */
async function begin(
  ctx: Ctx,
  agentId: string,
  { input, history }: Pick<Conversation, 'input' | 'history'>
): Promise<{ sessionId: string; cursor: number }> {
  return inTransaction(ctx, async tx => {
    const { sessionId } = await createSession(tx, { agentId })
    const head = await lockSession(tx, sessionId)
    const turnId = newId('turn')
    const messages = history.map(said => messageOf(tx, said, head.now))
    const before = head.seq
    const cursor = await append(
      tx,
      head,
      messages.map(message => ({ type: 'message', message }))
    )
    for (const [at, message] of messages.entries())
      await addMessage(tx, head, message, before + at + 1, { done: true })
    await addEntries(
      tx,
      head,
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

const messageOf = (
  ctx: Ctx,
  { role, content }: Conversation['history'][number],
  createdAt: string
): Message => ({
  id: newId('msg'),
  role,
  metadata: { createdAt, ...(role === 'user' ? { sentBy: ctx.actor.name } : {}) },
  parts: [{ type: 'text', text: redacted(ctx, role === 'user' ? 'message' : 'model', content) }]
})
