import type { LeftOut } from '@waystation/protocol/session/prompt.ts'

/** Binary data in text: a data URL within other text, or long base64 next to a media type. */
const embeddedDataUrl = /data:([\w.+-]+\/[\w.+-]+)?[^,\s"']{0,100};base64,([A-Za-z0-9+/_-]{64,}={0,2})/g
const base64 = /^[A-Za-z0-9+/_-]{64,}={0,2}$/

/**
 * Copies a message and replaces files by their media type and size: bytes, data URLs, and base64 next to a
 * media type. Links stay unchanged.
 */
export function withoutFiles(value: unknown, mediaType?: string): unknown {
  if (typeof value === 'string') return replaceInText(value, mediaType)
  if (value instanceof URL) return replaceInText(value.href, mediaType)
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return placeholder(value.byteLength, mediaType)
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

/** `mediaType` is the type of the field's content, if known. */
function replaceInText(text: string, mediaType: string | undefined): unknown {
  if (text.startsWith('data:')) {
    const comma = text.indexOf(',')
    const [type = ''] = text.slice('data:'.length, comma).split(';')
    if (comma > 0 && /^[^\s]*$/.test(text.slice(0, comma)))
      return placeholder(
        text.slice(0, comma).endsWith(';base64') ? bytesIn(text.slice(comma + 1)) : text.length - comma - 1,
        mediaType ?? type
      )
  }
  if (mediaType !== undefined && base64.test(text)) return placeholder(bytesIn(text), mediaType)
  return text.includes(';base64,')
    ? text.replace(
        embeddedDataUrl,
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

const placeholder = (bytes: number, mediaType: string | undefined): LeftOut => ({
  leftOut: 'file',
  ...(mediaType === undefined || mediaType === '' ? {} : { mediaType }),
  bytes
})
