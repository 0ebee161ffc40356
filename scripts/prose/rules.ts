import type { Kind, Sentence } from './block.ts'

/** A rule of docs/contributing/style.md: its name and the part of a sentence that breaks it. */
type Rule = [name: string, breaks: RegExp]

const rules: Rule[] = [
  ['starts with What, Who or Whether', /^(?:What|Who|Whoever|Whatever|Whether|Of)\b(?!.*\?["”)]*$)/],
  ['names no role', /\b(?:somebody|nobody|everybody|whoever|whatever)\b/i],
  ['is told', /\b(?:is|are|was|were|be|been|being) told\b/i],
  ['old form', /\banew\b|\bfor ever\b|\bany more\b(?! (?:than|of)\b)/i],
  ['stands, for "is"', /\bstands\b/i],
  [
    'holds, for "applies"',
    /\bholds(?: good| true)?(?=[.,;:]|$| (?:for|in|when|where|until|while|only|always|again|too|as|there|here|across)\b)/i
  ],
  ['counts as', /\bcounts? as\b/i],
  ['comes to', /\bcomes? to\b/i]
]

/** The maximum number of words in a sentence. */
const maxWords: Record<Kind, number> = {
  docs: 25,
  table: 25,
  heading: 25,
  comment: 25,
  title: 25,
  model: 25,
  text: 20
}

/** Returns the names of the rules that the sentence breaks. */
export function brokenRules({ kind, text, words }: Sentence): string[] {
  const broken = rules.filter(([, breaks]) => breaks.test(text)).map(([name]) => name)
  const limit = maxWords[kind]
  return words > limit ? [...broken, `${words} words, at most ${limit}`] : broken
}
