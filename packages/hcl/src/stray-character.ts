import { shown } from './hcl-error.ts'

/** What to write instead of characters that other languages have here. */
const instead: Record<string, string> = {
  "'": 'put strings in double quotes (")',
  '`': 'use a heredoc (<<EOT) for several lines of text',
  ';': 'put each attribute on its own line',
  '&': 'for "and" write &&',
  '|': 'for "or" write ||',
  '\r': 'end the line with a line feed',
  '~': `strip markers (\${~ and ~}) are not supported, remove it`
}

/** What is wrong with the character at `at`, which begins nothing that HCL knows. */
export function strayCharacter(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at)!)
  const advice = Object.hasOwn(instead, char) ? instead[char] : 'remove it, or put it in double quotes'
  return `unexpected character ${shown(char)}: ${advice}`
}
