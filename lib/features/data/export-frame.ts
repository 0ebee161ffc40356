import type { ExportLine } from '#lib/protocol/session/export.ts'

/** An export's lines between its first and its last one: what it is of, and how many there were of each kind. */
export async function* counted(
  of: { sessionId: string } | { subject: string },
  lines: AsyncIterable<ExportLine>
): AsyncGenerator<ExportLine> {
  yield { type: 'waystation-export', version: 1, at: new Date().toISOString(), ...of }
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    counts[line.type] = (counts[line.type] ?? 0) + 1
    yield line
  }
  yield { type: 'end', counts }
}
