import { newId } from '@waystation/base/ids.ts'
import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import { giveUpRetry } from '#lib/deliveries/give-up-retry.ts'
import { showOnMessage } from '#lib/deliveries/show-on-message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { forward } from './forward.ts'
import { clearStatus } from './status-line.ts'

/**
 * Asks an external agent to stop: it receives a message of the type `cancel` after the messages before it. As when a turn
 * stops, the retry of a message is given up, and queued messages stay. Does nothing if the agent does not work: it shows
 * no status, and it replied to the newest message or was already asked to stop after it. Needs the session's lock.
 */
export async function stopAgent(tx: Ctx, session: LockedSession, agent: ExternalAgent): Promise<void> {
  const { works, messageId, isSent } = await readWork(tx, session)
  if (!works) return
  await giveUpRetry(tx, session)
  await clearStatus(tx, session)
  const id = newId('msg')
  const about = messageId === null ? {} : { messageId }
  await forward(tx, session, agent, id, {
    message: { type: 'cancel', id, ...about, createdAt: session.now }
  })
  if (isSent) await showOnMessage(tx, session, messageId, before => ({ ...before, stopped: true }))
}

type Work = { works: boolean; messageId: string | null; isSent: boolean }

/** Returns whether the agent works, and the session's newest message. `isSent`: it was sent to the agent. */
async function readWork(tx: Ctx, { sessionKey }: LockedSession): Promise<Work> {
  const [row] = await tx.sql<Work[]>`
    select m.id as message_id, sent as is_sent,
      coalesce(s.agent_status_until > clock_timestamp(), false)
        or ((sent or coalesce(not m.done, false)) and not exists (
          select from deliveries d where d.session_key = s.key and d.kind = 'message'
            and d.body -> 'message' ->> 'type' = 'cancel' and d.body -> 'message' ->> 'messageId' = m.id)) as works
    from sessions s left join lateral (
      select id, done from messages where session_key = s.key order by pos desc limit 1) m on true
    cross join lateral (
      select exists (
        select from deliveries where session_key = s.key and kind = 'message' and message_id = m.id) as sent) delivery
    where s.key = ${sessionKey}`
  return row ?? { works: false, messageId: null, isSent: false }
}
