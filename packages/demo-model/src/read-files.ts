import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { imageSize } from './image-size.ts'

/**
 * Describes an attached file, for example as "cat.png (image/png, 3,410 bytes, 120×80)". The length and the
 * size of an image are known only if the prompt contains the data.
 */
export function describeFile({ data, mediaType, filename }: LanguageModelV4FilePart): string {
  const bytes = data.type === 'data' ? bytesOf(data.data) : undefined
  const size = bytes && imageSize(bytes)
  const facts = [
    mediaType,
    ...(bytes === undefined ? [] : [formatBytes(bytes.length)]),
    ...(size === undefined ? [] : [`${size.width}×${size.height}`])
  ]
  return `${filename ?? 'a file'} (${facts.join(', ')})`
}

/**
 * Describes a file that the prompt contains as a text part. `lib/engine/turn/attached-files.ts` writes an
 * `<attached_file>` element or a line in brackets. Returns undefined for other texts, which the user wrote.
 */
export function describeAttachment({ text }: LanguageModelV4TextPart): string | undefined {
  const [, line] = /^\[attached: ([^\n]+)\]$/.exec(text) ?? []
  if (line !== undefined) return line
  const [, name, type, bytes] =
    /^<attached_file name="([^"]*)" type="([^"]*)" bytes="(\d+)">\n[\s\S]*\n<\/attached_file>$/.exec(text) ??
    []
  return bytes === undefined ? undefined : `${name} (${type}, ${formatBytes(Number(bytes))})`
}

const bytesOf = (data: Uint8Array | string): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : data

const formatBytes = (bytes: number) => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
