/**
 * Image types that browsers and models can show. Files are identified by their first bytes, never by their declared
 * type.
 */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export const isImage = (mediaType: string): boolean => (imageTypes as readonly string[]).includes(mediaType)

/** How a file can be given to a model: as an image, a document or text, or not at all. */
export type FileKind = 'image' | 'document' | 'text' | 'other'

/** Returns how a file of this type can be given to a model. */
export function fileKind(mediaType: string): FileKind {
  if (isImage(mediaType)) return 'image'
  if (mediaType === 'application/pdf') return 'document'
  return textType.test(mediaType) ? 'text' : 'other'
}
const textType =
  /^(text\/.+|application\/(json|xml|yaml|x-yaml|toml|javascript|x-ndjson|sql|.+\+(json|xml))|image\/svg\+xml)$/

/** Maximum part of a text file that a model receives, in bytes. */
export const maxTextBytes = 64 * 1024

/** Returns the URL of a stored file, as messages refer to it. */
export const fileUrl = (sessionId: string, fileId: string): string =>
  `/api/sessions/${sessionId}/files/${fileId}`

/** Matches URLs of stored files. Other files of a message are `data:` URLs. */
export const fileUrlPattern = /^\/api\/sessions\/([A-Za-z0-9_-]{1,128})\/files\/([A-Za-z0-9_-]{1,64})$/

/** Returns the stored file that a message part refers to, or undefined. */
export function storedFileOf(part: object): { sessionId: string; fileId: string } | undefined {
  const url = 'url' in part && typeof part.url === 'string' ? part.url : ''
  const [, sessionId, fileId] = fileUrlPattern.exec(url) ?? []
  return sessionId === undefined || fileId === undefined ? undefined : { sessionId, fileId }
}

/**
 * Returns the size of a part's file in bytes, or undefined if it is unknown. For a `data:` URL it is computed from the
 * length.
 */
export function fileSize(part: object): number | undefined {
  const { providerMetadata, url } = part as { providerMetadata?: unknown; url?: unknown }
  const { size } = (providerMetadata as { waystation?: { size?: unknown } } | undefined)?.waystation ?? {}
  if (typeof size === 'number') return size
  if (typeof url !== 'string' || !url.startsWith('data:')) return undefined
  return Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4)
}

/** Formats a size: "640 bytes", "34 KB", "2.1 MB". */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1000 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`
}

/** Describes a file in text: "cat.png, image/png, 34 KB". */
export function describeFile(part: { mediaType: string; filename?: string | undefined }): string {
  const size = fileSize(part)
  return [part.filename ?? 'a file', part.mediaType, ...(size === undefined ? [] : [formatSize(size)])].join(
    ', '
  )
}
