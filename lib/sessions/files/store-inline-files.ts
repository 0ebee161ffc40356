import { invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { admitFile, storeFile, validateFile } from './store-file.ts'

/** The most characters of a file's `data:` URL that stays in a message which exceeds its size limit. */
const maxInlineChars = 16 * 1024

/** Returns whether a part is a file whose bytes are in its URL. */
export const isInline = (part: UserPart): boolean => part.type === 'file' && part.url.startsWith('data:')

/** Returns whether a part is a file that can be stored outside its message. */
export const isLarge = (part: UserPart): boolean =>
  isInline(part) && part.type === 'file' && part.url.length > maxInlineChars

/**
 * Moves inline files of a stock AI SDK client into stored files, and returns the parts with their URLs. `isMoved`
 * selects the files. Needs the session's lock.
 */
export async function storeInlineFiles(
  tx: Ctx,
  session: LockedSession,
  parts: readonly UserPart[],
  isMoved: (part: UserPart) => boolean
): Promise<UserPart[]> {
  const result: UserPart[] = []
  for (const part of parts) {
    if (part.type !== 'file' || !isMoved(part)) result.push(part)
    else {
      const name = part.filename || 'file'
      const file = validateFile(tx, { name, declared: part.mediaType, bytes: bytesOf(part.url) })
      const id = newId('file')
      await storeFile(tx, session.sessionKey, id, file)
      const { url } = await admitFile(tx, session, id, file)
      result.push({ ...part, url })
    }
  }
  return result
}

/** Decodes a `data:` URL (RFC 2397). */
function bytesOf(url: string): Uint8Array {
  const comma = url.indexOf(',')
  const data = url.slice(comma + 1)
  if (comma < 0) throw invalid('A data: URL in this message has no data. Send the complete URL.')
  if (/;\s*base64$/i.test(url.slice(0, comma))) return Buffer.from(data, 'base64')
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch (error) {
    if (error instanceof URIError)
      throw invalid('A data: URL in this message cannot be decoded. Check its percent-encoding.')
    throw error
  }
}
