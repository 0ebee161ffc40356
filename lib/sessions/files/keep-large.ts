import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { admitFile, storeFile, validateFile } from './keep-file.ts'

/** A file in a message that is longer than this is kept beside it, where the message is too long for its files. */
const small = 16 * 1024

/** Whether a part is a file that would be kept beside its message. */
export const isLarge = (part: UserPart): boolean =>
  part.type === 'file' && part.url.startsWith('data:') && part.url.length > small

/** The same parts, with the large files of a stock client's message kept beside it and named. The head is locked. */
export async function keepLarge(
  tx: Ctx,
  head: LockedSession,
  parts: readonly UserPart[]
): Promise<UserPart[]> {
  const kept: UserPart[] = []
  for (const part of parts) {
    if (part.type !== 'file' || !isLarge(part)) kept.push(part)
    else {
      const name = part.filename || 'file'
      const file = validateFile(tx, { name, declared: part.mediaType, bytes: bytesOf(part.url) })
      const id = newId('file')
      await storeFile(tx, head.sessionKey, id, file)
      const { url } = await admitFile(tx, head, id, file)
      kept.push({ ...part, url })
    }
  }
  return kept
}

/** The bytes of a `data:` URL (RFC 2397). */
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
