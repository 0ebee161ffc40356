import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ExportLine, ExportSession } from '#lib/protocol/session/export.ts'
import { counted } from './export-frame.ts'
import { linesOf } from './export-lines.ts'

/**
 * All of a session as lines, read page by page as they are taken: no more than a page is in memory, and no transaction stays
 * open for a slow reader. What is settled meanwhile may stand there as it was or as it is; what is added meanwhile, or not. A
 * session that is deleted meanwhile breaks it off. An end user is not told of other systems.
 */
export async function exportSession(ctx: Ctx, input: ExportSession): Promise<AsyncIterable<ExportLine>> {
  const { sessionId, events } = input
  const key = await sessionKeyOf(ctx, sessionId)
  return counted({ sessionId }, linesOf(ctx, key, { events }))
}
