import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { type OobRow, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { runningConfig, withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Sends the webhook event of a held message, with a link that approves or removes it. If the agent's answer
 * policy forbids links for calls, this event has no link either. Requires the session's lock.
 */
export async function announceHeld(tx: Ctx, session: LockedSession, row: OobRow): Promise<void> {
  const [agent] = await tx.sql<{ policy: AnswerPolicy | null }[]>`
    select ${runningConfig(tx)} -> 'chat' -> 'answer' as policy
    from sessions s ${withAgent(tx)} where s.key = ${session.sessionKey}`
  const { generation } = session
  await tx.ports.notifyWebhooks(tx, session, {
    type: 'out_of_band.held',
    about: row.id,
    data: { message: wireOob(row) },
    ...(permitsLinks(agent?.policy ?? {}) ? { asks: { generation, toolCallId: row.id, kind: 'oob' } } : {})
  })
}

const permitsLinks = ({ links, ...rules }: AnswerPolicy): boolean =>
  links ?? Object.values(rules).every(rule => rule === undefined || rule === false)
