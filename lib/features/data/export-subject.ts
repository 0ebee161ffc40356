import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { ExportLine, ExportSubject } from '#lib/protocol/session/export.ts'
import { counted } from './export-frame.ts'
import { linesOf } from './export-lines.ts'

/**
 * Every session of an end user as lines, the oldest first, as `exportSession` does one. Those of others, in which they spoke
 * by a token, are not theirs. None: `NOT_FOUND`.
 */
export async function exportSubject(ctx: Ctx, input: ExportSubject): Promise<AsyncIterable<ExportLine>> {
  const { subject, events } = input
  if ((await nextOf(ctx, subject, 0)) === undefined) throw notFound('session of the end user', subject)
  return counted({ subject }, sessionsOf(ctx, subject, events))
}

async function* sessionsOf(ctx: Ctx, subject: string, events: boolean): AsyncGenerator<ExportLine> {
  let key: number | undefined = 0
  for (;;) {
    key = await nextOf(ctx, subject, key)
    if (key === undefined) return
    yield* linesOf(ctx, key, { events })
  }
}

/** The key of their next session. */
async function nextOf(ctx: Ctx, subject: string, after: number): Promise<number | undefined> {
  const [next] = await ctx.sql<{ key: number }[]>`
    select key from sessions
    where workspace_id = ${ctx.workspaceId} and subject = ${subject} and deleted_at is null and key > ${after}
    order by key limit 1`
  return next?.key
}
