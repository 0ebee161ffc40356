import type { UserPart } from '@waystation/protocol/session/message.ts'
import { describeFile, fileSize, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import type { ModelMessage } from 'ai'
import { escapeElements } from './messages-into-results.ts'

/**
 * How the prompt contains a stored file: as the file itself, as its text, or as a line that says why it is
 * left out.
 */
export type FileRendering =
  | { as: 'file' }
  | { as: 'text'; text: string; cut?: number }
  | { as: 'line'; why: string }

/** The stored files of a window, by URL. `data` contains the base64 data of those that are sent as files. */
export type AttachedFiles = {
  standing: ReadonlyMap<string, FileRendering>
  data: ReadonlyMap<string, string>
}

export type FilePart = Extract<UserPart, { type: 'file' }>
type Content = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

/**
 * Returns the prompt part of a file. A file that is sent contains its URL; `withFileData` replaces it with
 * the data.
 */
export function filePart(part: FilePart, files: AttachedFiles | undefined): Content {
  const { mediaType, url } = part
  const filename = part.filename ? escapeElements(part.filename) : undefined
  const asFile = { type: 'file' as const, data: url, mediaType, ...(filename ? { filename } : {}) }
  if (storedFileOf(part) === undefined) return asFile
  const rendering = files?.standing.get(url)
  switch (rendering?.as) {
    case 'file':
      return asFile
    case 'text': {
      const omitted = rendering.cut === undefined ? '' : `\n(${rendering.cut} more bytes are left out.)`
      return {
        type: 'text',
        text: `<attached_file ${attributes(part)}>\n${escapeElements(rendering.text)}${omitted}\n</attached_file>`
      }
    }
    default:
      return { type: 'text', text: fileLine(part, rendering?.why) }
  }
}

/**
 * Adds the files' data to the messages. This is the last change to a prompt, so plugins and stored prompts
 * never contain the data.
 */
export const withFileData = (
  messages: readonly ModelMessage[],
  files: AttachedFiles | undefined
): ModelMessage[] =>
  messages.map(message => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    if (!message.content.some(part => storedFileUrl(part) !== undefined)) return message
    return { ...message, content: message.content.map(part => withData(part, files)) }
  })

function withData(part: Content, files: AttachedFiles | undefined): Content {
  const url = storedFileUrl(part)
  if (url === undefined || part.type !== 'file') return part
  const data = files?.data.get(url)
  // A plugin can write any URL. A file outside the window is not available.
  if (data === undefined) return { type: 'text', text: fileLine({ ...part, url }, 'it is not available') }
  return { ...part, data }
}

const storedFileUrl = (part: Content): string | undefined =>
  part.type === 'file' && typeof part.data === 'string' && storedFileOf({ url: part.data }) !== undefined
    ? part.data
    : undefined

const fileLine = (
  part: Pick<FilePart, 'url' | 'mediaType'> & { filename?: string | undefined },
  reason?: string
) => `[attached: ${escapeElements(describeFile(part))}${reason === undefined ? '' : `; ${reason}`}]`

const attributes = (part: FilePart): string =>
  Object.entries({ name: part.filename ?? 'file', type: part.mediaType, bytes: fileSize(part) })
    .map(([name, value]) => `${name}="${String(value).replaceAll(/[<>"&\n]/g, ' ')}"`)
    .join(' ')
