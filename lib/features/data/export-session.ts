import type { ExportLine, ExportSession } from '@waystation/protocol/session/export.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sessionLines } from './export-lines.ts'
import { withCounts } from './with-counts.ts'

/**
 * Exports a session as lines, page by page as the reader takes them. At most one page is in memory, and no
 * transaction stays open for a slow reader. Changes during the export may or may not be included. If the
 * session is deleted meanwhile, the export fails. For end users, deliveries are left out.
 */
export async function exportSession(ctx: Ctx, input: ExportSession): Promise<AsyncIterable<ExportLine>> {
  const { sessionId, events } = input
  const key = await sessionKeyOf(ctx, sessionId)
  return withCounts({ sessionId }, sessionLines(ctx, key, { events }))
}
