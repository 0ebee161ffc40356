import { Refusal } from '#lib/kernel/refusal.ts'
import { isImage } from '#lib/protocol/session/kept-file.ts'

/** What can be told by its first bytes, in hexadecimal. */
const marks: readonly [string, RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/]
]

/** What a name says, for those who sent no type or one that says nothing (curl calls every body a form). */
const byName: Readonly<Record<string, string>> = {
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
const saysNothing = new Set(['', 'application/octet-stream', 'application/x-www-form-urlencoded'])

/** A type and subtype (RFC 6838, 4.2), without parameters. */
const form = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/**
 * What a file is. The four images and PDF are told by their first bytes, whatever it is declared as; one that is declared as
 * one of these and is none is refused (`415 UNSUPPORTED_TYPE`), and so is what is no media type. Of anything else the word of
 * whoever sends it is taken, since it is never shown as anything.
 */
export function sniffFile(bytes: Uint8Array, { name, declared }: { name: string; declared: string }): string {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const found = marks.find(([, mark]) => mark.test(head))?.[0]
  if (found !== undefined) return found
  const [given = ''] = declared.toLowerCase().split(';', 1)
  const type = given.trim()
  if (saysNothing.has(type)) return guessed(name)
  if (!form.test(type))
    throw new Refusal(
      'UNSUPPORTED_TYPE',
      `"${declared.slice(0, 80)}" is not a media type. Send a Content-Type such as text/plain, or none.`
    )
  if (isImage(type) || type === 'application/pdf')
    throw new Refusal(
      'UNSUPPORTED_TYPE',
      `${name} is declared as ${type}, but its content is not of that type. Send the original file, or correct the type.`
    )
  return type
}

function guessed(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(byName, ending) ? byName[ending] : undefined) ?? 'application/octet-stream'
}
