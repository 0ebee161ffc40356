import type { Message } from '@waystation/protocol/session/message.ts'
import { fileSize, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import type { SentFile } from '#lib/deliveries/file-link.ts'

/**
 * Returns the files of a message as its delivery stores them: the URLs have no token yet, because a token is valid for
 * minutes and an attempt can be days later (`deliveries/file-link.ts`).
 */
export function sentFiles({ parts }: Message, base: string): SentFile[] {
  return parts.flatMap(part => {
    const stored = storedFileOf(part)
    if (part.type !== 'file' || stored === undefined) return []
    const { sessionId, fileId } = stored
    return {
      fileId,
      name: part.filename ?? 'file',
      type: part.mediaType,
      size: fileSize(part),
      url: `${base.replace(/\/+$/, '')}/external/sessions/${sessionId}/files/${fileId}`
    }
  })
}
