import { isImage } from '@waystation/protocol/session/stored-file.ts'
import { fileDisposition } from './disposition.ts'
import { inertHeaders } from './inert-headers.ts'

/** A file of a session. `digest` is the SHA-256 of its bytes. `bytes` is null if the client has them already. */
type ShownFile = { name: string; mediaType: string; digest: string; bytes: Uint8Array | null }

/**
 * Responds with a file, which can be anything. A browser shows it only if its bytes are an image and `inline` is true,
 * and otherwise downloads it. The browser revalidates its copy on each use.
 */
export function fileResponse({ name, mediaType, digest, bytes }: ShownFile, inline: boolean): Response {
  const headers = { ...inertHeaders, etag: `"${digest}"`, 'cache-control': 'private, no-cache' }
  if (bytes === null) return new Response(null, { status: 304, headers })
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      ...headers,
      'content-type': mediaType,
      'content-length': String(bytes.byteLength),
      'content-disposition': fileDisposition(inline && isImage(mediaType) ? 'inline' : 'attachment', name)
    }
  })
}
