import type { ModelMessage } from 'ai'
import { fileKind, fileSize, fileWords, keptFile } from '#lib/protocol/session/kept-file.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { unforged } from './note-in-results.ts'

/** The kinds of file that a model is given as they are; text files are read to every model. */
export type Takes = { images: boolean; documents: boolean }

/** What stands in the prompt for a kept file: itself, its text, or a line that says why neither. */
export type Standing =
  | { as: 'file' }
  | { as: 'text'; text: string; cut?: number }
  | { as: 'line'; why: string }

/** The kept files of a window, each by its address. `data`: in base64, of those that stand as themselves. */
export type AttachedFiles = {
  standing: ReadonlyMap<string, Standing>
  data: ReadonlyMap<string, string>
}

type FilePart = Extract<UserPart, { type: 'file' }>
type Content = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

/**
 * What stands in a prompt for the files of its messages, in their order: those that this model takes as themselves, as far
 * as the `budget` of bytes goes; the oldest give way.
 */
export function plan(parts: readonly FilePart[], takes: Takes, budget: number): Map<string, Standing> {
  const standing = new Map<string, Standing>()
  /** Those that stand as themselves, oldest first. */
  let sent: FilePart[] = []
  const size = () => sent.reduce((sum, part) => sum + (fileSize(part) ?? 0), 0)
  for (const part of parts) {
    const kind = fileKind(part.mediaType)
    const isTaken = kind === 'image' ? takes.images : kind === 'document' && takes.documents
    if (kind === 'text') standing.set(part.url, { as: 'text', text: '' })
    else if (!isTaken) standing.set(part.url, { as: 'line', why: 'this model cannot read it' })
    else if ((fileSize(part) ?? 0) > budget)
      standing.set(part.url, { as: 'line', why: 'left out, because it is larger than a prompt can hold' })
    else {
      standing.set(part.url, { as: 'file' })
      sent = [...sent, part]
      // In big hops, as the window moves: between them the prompt of a step begins with that of the step before (docs/concepts/engine.md#prompt).
      if (size() <= budget) continue
      while (sent.length > 1 && size() > budget / 2) {
        const [oldest, ...rest] = sent as [FilePart, ...FilePart[]]
        standing.set(oldest.url, { as: 'line', why: 'not sent again, because newer files need the space' })
        sent = rest
      }
    }
  }
  return standing
}

/** A file of a person's message in the prompt. Of one that stands as itself it has the address; `withFileData` puts it in. */
export function filePart(part: FilePart, files: AttachedFiles | undefined): Content {
  const { mediaType, url } = part
  const filename = part.filename ? unforged(part.filename) : undefined
  const own = { type: 'file' as const, data: url, mediaType, ...(filename ? { filename } : {}) }
  if (keptFile(part) === undefined) return own
  const standing = files?.standing.get(url)
  switch (standing?.as) {
    case 'file':
      return own
    case 'text': {
      const cut = standing.cut === undefined ? '' : `\n(${standing.cut} more bytes are left out.)`
      return {
        type: 'text',
        text: `<attached_file ${attributes(part)}>\n${unforged(standing.text)}${cut}\n</attached_file>`
      }
    }
    default:
      return { type: 'text', text: lineOf(part, standing?.why) }
  }
}

/** The same messages with the bytes of their files: last of all, so that nobody who reads or keeps a prompt is given them. */
export const withFileData = (
  messages: readonly ModelMessage[],
  files: AttachedFiles | undefined
): ModelMessage[] =>
  messages.map(message => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    if (!message.content.some(part => addressOf(part) !== undefined)) return message
    return { ...message, content: message.content.map(part => filled(part, files)) }
  })

function filled(part: Content, files: AttachedFiles | undefined): Content {
  const url = addressOf(part)
  if (url === undefined || part.type !== 'file') return part
  const data = files?.data.get(url)
  // A plugin may write what it likes; what is not of this window is not there.
  if (data === undefined) return { type: 'text', text: lineOf({ ...part, url }, 'it is not available') }
  return { ...part, data }
}

const addressOf = (part: Content): string | undefined =>
  part.type === 'file' && typeof part.data === 'string' && keptFile({ url: part.data }) !== undefined
    ? part.data
    : undefined

const lineOf = (
  part: Pick<FilePart, 'url' | 'mediaType'> & { filename?: string | undefined },
  why?: string
) => `[attached: ${unforged(fileWords(part))}${why === undefined ? '' : `; ${why}`}]`

const attributes = (part: FilePart): string =>
  Object.entries({ name: part.filename ?? 'file', type: part.mediaType, bytes: fileSize(part) })
    .map(([name, value]) => `${name}="${String(value).replaceAll(/[<>"&\n]/g, ' ')}"`)
    .join(' ')
