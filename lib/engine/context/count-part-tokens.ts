import { countTokens } from '#lib/kernel/count-tokens.ts'
import { fileKind, fileSize, keptFile, mostTextBytes } from '#lib/protocol/session/kept-file.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'

/** An image, whatever is in it (001-17): what a provider takes for one is made good by what it reports. Of a file that stands in
 * its message every four bytes are a token; one that is kept is counted by what a model is given of it. */
const imageTokens = 100
/** A line that says what a file is. */
const lineTokens = 30
/** A page of a document is some 100 KB and 2,500 tokens; one of many pages is no more than this at first sight. */
const document = { bytesPerToken: 40, most: 10_000 }

/** How many tokens a person's parts are: their text, and their files by kind and size (data URLs are base64). */
export const countPartTokens = (parts: readonly UserPart[]): number =>
  parts.reduce((sum, part) => sum + (part.type === 'text' ? countTokens(part.text) : fileTokens(part)), 0)

function fileTokens(part: Extract<UserPart, { type: 'file' }>): number {
  if (part.mediaType.startsWith('image/') && part.mediaType !== 'image/svg+xml') return imageTokens
  if (keptFile(part) === undefined) return Math.ceil((part.url.length * 3) / 16)
  const size = fileSize(part) ?? 0
  switch (fileKind(part.mediaType)) {
    case 'text':
      return lineTokens + Math.ceil(Math.min(size, mostTextBytes) / 4)
    case 'document':
      return lineTokens + Math.min(Math.ceil(size / document.bytesPerToken), document.most)
    default:
      return lineTokens
  }
}
