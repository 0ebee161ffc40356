import { ApiError } from '@waystation/base/api-error.ts'
import { isImage } from '@waystation/protocol/session/stored-file.ts'

/** The types that the first bytes identify, in hexadecimal. */
const signatures: readonly [string, RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/]
]

/** The types by file extension, for clients that send no type or a generic one (curl declares every body a form). */
const typeByExtension: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  svg: 'image/svg+xml'
}
const genericTypes = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded'])

/** A media type and subtype (RFC 6838, 4.2), without parameters. */
const mediaTypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/**
 * Returns the media type of a file. PDF and the four image types are recognized by their first bytes, regardless of the
 * declared type. Throws `UNSUPPORTED_TYPE` if the bytes do not match a declared PDF or image type, or if the declared
 * type is malformed. Any other declared type is trusted, because browsers only download such files.
 */
export function sniffFile(bytes: Uint8Array, { name, declared }: { name: string; declared: string }): string {
  const firstBytes = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const detected = signatures.find(([, signature]) => signature.test(firstBytes))?.[0]
  if (detected !== undefined) return detected
  const [declaredType = ''] = declared.toLowerCase().split(';', 1)
  const type = declaredType.trim()
  if (genericTypes.has(type)) return typeFromName(name)
  if (!mediaTypePattern.test(type))
    throw new ApiError(
      'UNSUPPORTED_TYPE',
      `"${declared.slice(0, 80)}" is not a media type. Send a Content-Type such as text/plain, or none.`
    )
  if (isImage(type) || type === 'application/pdf')
    throw new ApiError(
      'UNSUPPORTED_TYPE',
      `${name} is declared as ${type}, but its content is not of that type. Send the original file, or correct the type.`
    )
  return type
}

function typeFromName(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (
    (Object.hasOwn(typeByExtension, extension) ? typeByExtension[extension] : undefined) ??
    'application/octet-stream'
  )
}
