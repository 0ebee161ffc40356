import type { TurnRef, TurnResult } from '@waystation/protocol/session/comparison.ts'
import type { Snapshot } from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { callsToShow } from '#lib/sessions/calls-to-show.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { getTurnResult } from './turn-results.ts'

/** The most messages of one turn that are shown. */
const maxMessages = 49

type TurnView = { session: Session; snapshot: Snapshot; result: TurnResult }

/** Returns a session whose snapshot contains only one turn, and the turn's result. Throws `NOT_FOUND`. */
export async function getTurnView(ctx: Ctx, turn: TurnRef): Promise<TurnView> {
  const key = await sessionKeyOf(ctx, turn.sessionId)
  const [{ session, ...snapshot }, result] = await Promise.all([
    getSession(ctx, { sessionId: turn.sessionId }),
    getTurnResult(ctx, turn)
  ])
  const rows = await ctx.sql<{ message: Message }[]>`
    select m.message from messages m join messages o on o.session_key = m.session_key and o.id = ${turn.messageId}
    where m.session_key = ${key} and m.pos >= o.pos and not exists (
      select from messages n where n.session_key = ${key} and n.role = 'user' and n.pos > o.pos and n.pos <= m.pos
        and not n.message -> 'metadata' ? 'queued')
    order by m.pos limit ${maxMessages}`
  // The snapshot has the newest text of a message that is being written.
  const newest = new Map(snapshot.messages.map(message => [message.id, message]))
  const messages = rows.map(({ message }) => newest.get(message.id) ?? message)
  const ids = messages.map(({ id }) => id)
  const calls = (await callsToShow(ctx, key, ids)).filter(({ messageId }) => ids.includes(messageId))
  return { session, result, snapshot: { ...snapshot, messages, calls, outOfBand: [] } }
}
