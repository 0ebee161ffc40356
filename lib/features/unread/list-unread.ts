import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'

/** Returns the sessions among these that have a reply that the caller has not read. */
export async function listUnread(
  { sql, actor }: Ctx,
  sessionKeys: readonly number[]
): Promise<Map<number, Pick<ListedSession, 'unread'>>> {
  const rows = await sql<{ sessionKey: number }[]>`
    select r.session_key from session_reads r
    where r.session_key = any(${sessionKeys}) and r.reader = ${identityOf(actor).id} and r.read_pos < (
      select m.pos from messages m where m.session_key = r.session_key and m.role = 'assistant' and m.done
      order by m.pos desc limit 1)`
  return new Map(rows.map(({ sessionKey }) => [sessionKey, { unread: true }]))
}
