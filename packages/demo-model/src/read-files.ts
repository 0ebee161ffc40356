import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { imageSize } from './image-size.ts'

/** What an attached file is, as far as it can be told without looking at it: "cat.png (image/png, 3,410 bytes, 120×80)". */
export function fileWords({ data, mediaType, filename }: LanguageModelV4FilePart): string {
  const bytes = data.type === 'data' ? bytesOf(data.data) : undefined
  const size = bytes && imageSize(bytes)
  const facts = [
    mediaType,
    ...(bytes === undefined ? [] : [lengthWords(bytes.length)]),
    ...(size === undefined ? [] : [`${size.width}×${size.height}`])
  ]
  return `${filename ?? 'a file'} (${facts.join(', ')})`
}

/**
 * The same of a file that stands in the prompt as a text of its own: `lib/engine/turn` writes it in an element, or a line about it in
 * brackets. Of any other text nothing: it is what the person said.
 */
export function attachedIn({ text }: LanguageModelV4TextPart): string | undefined {
  const [, line] = /^\[attached: ([^\n]+)\]$/.exec(text) ?? []
  if (line !== undefined) return line
  const [, name, type, bytes] =
    /^<attached_file name="([^"]*)" type="([^"]*)" bytes="(\d+)">\n[\s\S]*\n<\/attached_file>$/.exec(text) ??
    []
  return bytes === undefined ? undefined : `${name} (${type}, ${lengthWords(Number(bytes))})`
}

const bytesOf = (data: Uint8Array | string): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : data

const lengthWords = (bytes: number) => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
