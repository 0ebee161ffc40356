import { shown } from './hcl-error.ts'

/** Advice for characters that mean something in other languages or in HCL constructs that we do not support. */
const adviceFor: Record<string, string> = {
  "'": 'put strings in double quotes (")',
  '`': 'use a heredoc (<<EOT) for several lines of text',
  ';': 'put each attribute on its own line',
  '&': 'for "and" write &&',
  '|': 'for "or" write ||',
  '\r': 'end the line with a line feed',
  '~': `strip markers (\${~ and ~}) are not supported, remove it`
}

/** Returns the error message for the character at this offset, which starts no token. */
export function strayCharacter(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at)!)
  const advice = Object.hasOwn(adviceFor, char) ? adviceFor[char] : 'remove it, or put it in double quotes'
  return `unexpected character ${shown(char)}: ${advice}`
}
