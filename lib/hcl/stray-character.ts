import { shown } from './hcl-error.ts'

/** What to write instead of characters that other languages have here. */
const instead: Record<string, string> = {
  "'": 'strings stand between double quotes (")',
  '`': 'a text of several lines is a heredoc (<<EOT)',
  ';': 'each attribute stands on a line of its own',
  '&': 'for "and" write &&',
  '|': 'for "or" write ||',
  '\r': 'end the line with a line feed',
  '~': `strip markers (\${~ and ~}) are not read here, leave it out`
}

/** What is wrong with the character at `at`, which begins nothing that HCL knows. */
export function strayCharacter(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at)!)
  const advice = Object.hasOwn(instead, char) ? instead[char] : 'remove it, or put it between double quotes'
  return `unexpected character ${shown(char)}: ${advice}`
}
