import type { ExportLine } from '@waystation/protocol/session/export.ts'

/**
 * Adds the first line, which names the session or end user, and the last line, which counts the lines of each
 * kind.
 */
export async function* withCounts(
  scope: { sessionId: string } | { subject: string },
  lines: AsyncIterable<ExportLine>
): AsyncGenerator<ExportLine> {
  yield { type: 'waystation-export', version: 1, at: new Date().toISOString(), ...scope }
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    counts[line.type] = (counts[line.type] ?? 0) + 1
    yield line
  }
  yield { type: 'end', counts }
}
