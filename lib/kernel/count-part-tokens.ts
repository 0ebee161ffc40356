import type { UserPart } from '@waystation/protocol/session/message.ts'
import { fileKind, fileSize, maxTextBytes, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { countTokens } from './count-tokens.ts'

/**
 * Tokens of an image, regardless of its size (001-17). The ratio of reported to estimated tokens corrects the
 * difference. A file inside the message counts one token per four bytes. A stored file counts what the model
 * receives of it.
 */
const imageTokens = 100
/** Tokens of the line that describes a file. */
const lineTokens = 30
/** A page has about 100 KB and 2,500 tokens. The estimate is limited to `most` tokens. */
const document = { bytesPerToken: 40, most: 10_000 }

/**
 * Estimates the tokens of message parts: text by its length, files by kind and size. The size of a base64
 * data URL is three quarters of its length.
 */
export const countPartTokens = (parts: readonly UserPart[]): number =>
  parts.reduce((sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : fileTokens(part)), 0)

function fileTokens(part: Extract<UserPart, { type: 'file' }>): number {
  if (part.mediaType.startsWith('image/') && part.mediaType !== 'image/svg+xml') return imageTokens
  if (storedFileOf(part) === undefined) return Math.ceil((part.url.length * 3) / 16)
  const size = fileSize(part) ?? 0
  switch (fileKind(part.mediaType)) {
    case 'text':
      return lineTokens + Math.ceil(Math.min(size, maxTextBytes) / 4)
    case 'document':
      return lineTokens + Math.min(Math.ceil(size / document.bytesPerToken), document.most)
    default:
      return lineTokens
  }
}
