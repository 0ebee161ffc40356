/** The images that browsers show and models see: told by their first bytes, never by what somebody says. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export const isImage = (mediaType: string): boolean => (imageTypes as readonly string[]).includes(mediaType)

/** What a model can be given of a file: to look at, as a document, as text, or nothing. */
export type FileKind = 'image' | 'document' | 'text' | 'other'

export function fileKind(mediaType: string): FileKind {
  if (isImage(mediaType)) return 'image'
  if (mediaType === 'application/pdf') return 'document'
  return textType.test(mediaType) ? 'text' : 'other'
}
const textType =
  /^(text\/.+|application\/(json|xml|yaml|x-yaml|toml|javascript|x-ndjson|sql|.+\+(json|xml))|image\/svg\+xml)$/

/** How much of a text file a model is given, in bytes. */
export const mostTextBytes = 64 * 1024

/** Where the server keeps an attached file, as its message names it. */
export const fileUrl = (sessionId: string, fileId: string): string =>
  `/api/sessions/${sessionId}/files/${fileId}`

/** The address of a file that is kept; the message's other files stand in it as `data:` URLs. */
export const fileUrlPattern = /^\/api\/sessions\/([A-Za-z0-9_-]{1,128})\/files\/([A-Za-z0-9_-]{1,64})$/

/** Which file a part of a message names, if that is one which the server keeps. */
export function keptFile(part: object): { sessionId: string; fileId: string } | undefined {
  const url = 'url' in part && typeof part.url === 'string' ? part.url : ''
  const [, sessionId, fileId] = fileUrlPattern.exec(url) ?? []
  return sessionId === undefined || fileId === undefined ? undefined : { sessionId, fileId }
}

/** The size of a part's file in bytes, as far as it is known: of a `data:` URL by its length. */
export function fileSize(part: object): number | undefined {
  const { providerMetadata, url } = part as { providerMetadata?: unknown; url?: unknown }
  const { size } = (providerMetadata as { waystation?: { size?: unknown } } | undefined)?.waystation ?? {}
  if (typeof size === 'number') return size
  if (typeof url !== 'string' || !url.startsWith('data:')) return undefined
  return Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4)
}

/** "640 bytes", "34 KB", "2.1 MB" */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1000 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`
}

/** "cat.png, image/png, 34 KB": what a file is, to whoever cannot see it. */
export function fileWords(part: { mediaType: string; filename?: string | undefined }): string {
  const size = fileSize(part)
  return [part.filename ?? 'a file', part.mediaType, ...(size === undefined ? [] : [sizeWords(size)])].join(
    ', '
  )
}
