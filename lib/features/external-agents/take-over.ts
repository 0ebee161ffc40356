import { newId } from '@waystation/base/ids.ts'
import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { withDelivery } from '@waystation/protocol/session/message-parts.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { addEntry } from '#lib/engine/context/context-entries.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { closeReplies } from './append-reply.ts'
import { forwardHandOff } from './forward.ts'
import { forwardItems } from './forward-items.ts'
import { clearStatus } from './status-line.ts'

/** The external agent that a session was handed to, with its revision, and the handoff. */
type Successor = { agent: ExternalAgent; revision: number; handed: HandOff }

/**
 * Lets an external agent take over a session that has no live turn (003-11). Shows the handoff, sends it to the agent,
 * and forwards everything that waits in the inbox. Does nothing if the agent was deleted: the inbox then waits for
 * the next handoff. The caller holds the session's lock.
 */
export const takeOver = (tx: Ctx, session: LockedSession): Promise<void> =>
  forwardInbox(tx, session, { isNew: true })

/** Ends the replies and the status line of an agent that another one replaces. The caller holds the session's lock. */
export async function leave(tx: Ctx, session: LockedSession): Promise<void> {
  await closeReplies(tx, session)
  await clearStatus(tx, session)
}

/**
 * Forwards what waits in the inbox when a turn ends after a handoff to an external agent. The first time, the agent
 * takes over. The caller holds the session's lock.
 */
export async function forwardInbox(tx: Ctx, session: LockedSession, { isNew = false } = {}): Promise<void> {
  const { sessionKey } = session
  const [successor] = await tx.sql<(Successor & { lastAgentId: string | null })[]>`
    select a.config as agent, a.revision, s.handed, (
        select payload ->> 'agentId' from context
        where session_key = s.key and kind = 'step' order by id desc limit 1) as last_agent_id
    from sessions s join agents a on a.workspace_id = s.workspace_id and a.id = s.handed_to
    where s.key = ${sessionKey} and s.external and a.config ->> 'type' = 'external'`
  if (successor === undefined) return
  const { agent, lastAgentId } = successor
  if (isNew || lastAgentId !== agent.agentId) await showHandOff(tx, session, successor)
  await forwardItems(tx, session, agent)
}

/**
 * Shows the handoff in a message of its own, because no step of the agent can show it. The context gets an empty step
 * of the agent. A chat agent that takes over later then continues after it, and not after its own last step.
 */
async function showHandOff(
  tx: Ctx,
  session: LockedSession,
  { agent, revision, handed }: Successor
): Promise<void> {
  const { agentId } = agent
  const id = newId('msg')
  const part = { type: 'data-handoff' as const, id: newId('handoff'), data: handed }
  const message: Message = {
    id,
    role: 'assistant',
    metadata: { createdAt: session.now, agentId, revision },
    parts: withDelivery({ id, parts: [part] }, { state: 'pending' })
  }
  const seq = append(tx, session, [{ type: 'message', message }])
  await addMessage(tx, session, message, seq, { done: true })
  const payload = { content: [], callIds: [], agentId, revision }
  await addEntry(tx, session, { kind: 'step', turnId: id, messageId: id, payload, tokens: 0 })
  await deferWaitingCalls(tx, session)
  // A failed turn can no longer be retried, because its agent no longer speaks.
  if (session.status === 'failed' && session.turnId === null) {
    change(tx, session, { status: 'idle', error: null, retryAt: null })
    append(tx, session, [{ type: 'status', status: 'idle' }])
  }
  await forwardHandOff(tx, session, handed, agent, id)
}

/** Defers the calls that wait for an answer. A chat agent that takes over later receives the answers. */
async function deferWaitingCalls(tx: Ctx, { sessionKey }: LockedSession): Promise<void> {
  await tx.sql`
    update calls set deferred_at = clock_timestamp()
    where session_key = ${sessionKey} and state = 'open' and kind <> 'server' and deferred_at is null
      and context_id is not null`
}
