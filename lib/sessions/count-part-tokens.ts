import { countTokens } from '#lib/models/count-tokens.ts'
import type { UserPart } from '#lib/protocol/message.ts'

/** An image, whatever is in it (001-17): what a provider takes for one is made good by what it reports. Of any other file
 * every four bytes are a token. */
const imageTokens = 100

/** How many tokens a person's parts are: their text, and their files by kind and size (data URLs are base64). */
export const countPartTokens = (parts: readonly UserPart[]): number =>
  parts.reduce(
    (sum, part) =>
      sum +
      (part.type === 'text'
        ? countTokens(part.text)
        : part.mediaType.startsWith('image/')
          ? imageTokens
          : Math.ceil((part.url.length * 3) / 16)),
    0
  )
