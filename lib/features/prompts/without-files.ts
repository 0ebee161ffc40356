import type { LeftOut } from '#lib/protocol/session/prompt.ts'

/** Bytes in text: a data URL that is in the middle of words, and base64 of some length beside a media type. */
const embedded = /data:([\w.+-]+\/[\w.+-]+)?[^,\s"']{0,100};base64,([A-Za-z0-9+/_-]{64,}={0,2})/g
const base64 = /^[A-Za-z0-9+/_-]{64,}={0,2}$/

/**
 * A copy of a message in which files are their kind and size: bytes, data URLs, and base64 whose media type stands beside it.
 * Links stay links.
 */
export function withoutFiles(value: unknown, mediaType?: string): unknown {
  if (typeof value === 'string') return ofText(value, mediaType)
  if (value instanceof URL) return ofText(value.href, mediaType)
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return leftOut(value.byteLength, mediaType)
  if (Array.isArray(value)) return value.map(item => withoutFiles(item))
  if (value === null || typeof value !== 'object') return value
  const type = mediaTypeIn(value) ?? mediaType
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withoutFiles(field, name === 'data' || name === 'image' ? type : undefined)
    ])
  )
}

/** `mediaType`: the text is what a field of that kind holds. */
function ofText(text: string, mediaType: string | undefined): unknown {
  if (text.startsWith('data:')) {
    const comma = text.indexOf(',')
    const [type = ''] = text.slice('data:'.length, comma).split(';')
    if (comma > 0 && /^[^\s]*$/.test(text.slice(0, comma)))
      return leftOut(
        text.slice(0, comma).endsWith(';base64') ? bytesIn(text.slice(comma + 1)) : text.length - comma - 1,
        mediaType ?? type
      )
  }
  if (mediaType !== undefined && base64.test(text)) return leftOut(bytesIn(text), mediaType)
  return text.includes(';base64,')
    ? text.replace(
        embedded,
        (_, type: string | undefined, bytes: string) =>
          `[${type ?? 'a file'}, ${bytesIn(bytes)} bytes, not stored]`
      )
    : text
}

const mediaTypeIn = (fields: object): string | undefined => {
  const { mediaType, mimeType } = fields as { mediaType?: unknown; mimeType?: unknown }
  return [mediaType, mimeType].find(type => typeof type === 'string')
}

const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

const leftOut = (bytes: number, mediaType: string | undefined): LeftOut => ({
  leftOut: 'file',
  ...(mediaType === undefined || mediaType === '' ? {} : { mediaType }),
  bytes
})
