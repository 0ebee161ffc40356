import { HclError, type Position, shown } from './hcl-error.ts'

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/**
 * Reads the escape sequence whose backslash is at the offset `at` (HCL spec, "Template Expressions"). Returns its
 * length in UTF-16 units, and the character that it represents.
 * @throws HclError if it is unknown. The code is `UNSUPPORTED` for NUL, surrogates, and numbers above 10FFFF.
 */
export function readEscape(text: string, at: number, position: Position): { length: number; means: string } {
  const letter = String.fromCodePoint(text.codePointAt(at + 1) ?? 32)
  if (Object.hasOwn(escapes, letter)) return { length: 2, means: escapes[letter]! }
  const digits = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(text.slice(at + 1, at + 10))
  if (!digits)
    throw new HclError(
      position,
      `unknown escape ${shown(`\\${letter}`)}: use \\n, \\r, \\t, \\", \\\\, \\uXXXX or \\UXXXXXXXX`
    )
  const code = Number.parseInt((digits[1] ?? digits[2])!, 16)
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new HclError(position, `\\${digits[0]} is not a permitted character`, 'UNSUPPORTED')
  return { length: digits[0].length + 1, means: String.fromCodePoint(code) }
}
