import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type Waiting = NonNullable<ListedSession['outOfBand']>

/** Counts pending and held out-of-band messages by session. Sessions without any are not in the map. */
export async function countPendingOob(
  { sql }: Ctx,
  sessionKeys: readonly number[]
): Promise<Map<number, { outOfBand: Waiting }>> {
  const rows = await sql<({ key: number } & Waiting)[]>`
    select session_key as key, (count(*) filter (where status = 'visible'))::int as waiting,
      (count(*) filter (where status = 'held'))::int as held
    from out_of_band
    where session_key = any(${[...sessionKeys]}) and status in ('visible', 'held') and (expires_at is null or expires_at > now())
    group by session_key`
  return new Map(rows.map(({ key, ...counts }) => [key, { outOfBand: counts }]))
}
