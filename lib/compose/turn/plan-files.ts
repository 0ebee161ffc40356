import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import { fileKind, fileSize } from '@waystation/protocol/session/stored-file.ts'
import type { FilePart, FileRendering } from '#lib/engine/turn/attached-files.ts'

/**
 * Decides how the prompt contains each file. Files that the model accepts are sent, up to `budget` bytes in
 * total. The newest files take precedence.
 */
export function plan(
  parts: readonly FilePart[],
  takes: AcceptedFiles,
  budget: number
): Map<string, FileRendering> {
  const renderings = new Map<string, FileRendering>()
  /** Files that are sent as files, oldest first. */
  let sent: FilePart[] = []
  const size = () => sent.reduce((sum, part) => sum + (fileSize(part) ?? 0), 0)
  for (const part of parts) {
    const kind = fileKind(part.mediaType)
    const isTaken = kind === 'image' ? takes.images : kind === 'document' && takes.documents
    if (kind === 'text') renderings.set(part.url, { as: 'text', text: '' })
    else if (!isTaken) renderings.set(part.url, { as: 'line', why: 'this model cannot read it' })
    else if ((fileSize(part) ?? 0) > budget)
      renderings.set(part.url, { as: 'line', why: 'left out, because it is larger than a prompt can hold' })
    else {
      renderings.set(part.url, { as: 'file' })
      sent = [...sent, part]
      // Files are removed rarely and many at once, like entries of the window. In between, the prompt of a
      // step starts with the previous one (docs/concepts/engine.md#prompt).
      if (size() <= budget) continue
      while (sent.length > 1 && size() > budget / 2) {
        const [oldest, ...rest] = sent as [FilePart, ...FilePart[]]
        renderings.set(oldest.url, { as: 'line', why: 'not sent again, because newer files need the space' })
        sent = rest
      }
    }
  }
  return renderings
}
