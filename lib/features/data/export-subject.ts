import { notFound } from '@waystation/base/api-error.ts'
import type { ExportLine, ExportSubject } from '@waystation/protocol/session/export.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sessionLines } from './export-lines.ts'
import { withCounts } from './with-counts.ts'

/**
 * Exports every session of an end user, oldest first, in the form of `exportSession`. Sessions of others in
 * which the end user wrote are not included. Throws `NOT_FOUND` if the end user has no session.
 */
export async function exportSubject(ctx: Ctx, input: ExportSubject): Promise<AsyncIterable<ExportLine>> {
  const { subject, events } = input
  if ((await nextSession(ctx, subject, 0)) === undefined) throw notFound('session of the end user', subject)
  return withCounts({ subject }, linesOfSessions(ctx, subject, events))
}

async function* linesOfSessions(ctx: Ctx, subject: string, events: boolean): AsyncGenerator<ExportLine> {
  let key: number | undefined = 0
  for (;;) {
    key = await nextSession(ctx, subject, key)
    if (key === undefined) return
    yield* sessionLines(ctx, key, { events })
  }
}

/** Returns the key of the end user's next session. */
async function nextSession(ctx: Ctx, subject: string, after: number): Promise<number | undefined> {
  const [next] = await ctx.sql<{ key: number }[]>`
    select key from sessions
    where workspace_id = ${ctx.workspaceId} and subject = ${subject} and deleted_at is null and key > ${after}
    order by key limit 1`
  return next?.key
}
