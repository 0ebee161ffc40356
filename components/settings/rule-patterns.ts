/**
 * The arguments that a rule applies to: all, those whose text argument has a value, or those that a regular expression
 * matches. `is` also compares numbers and booleans.
 */
export type Condition =
  | { kind: 'any' }
  | { kind: 'contains' | 'starts' | 'is'; argument: string; value: string }
  | { kind: 'pattern'; pattern: string }

/** Matches every call. The server rejects empty patterns. */
const any = '^'

/** Matches the beginning of a call up to an argument that only texts, numbers and booleans precede. */
const scalars = '^\\{"parameters":\\{(?:"(?:[^"\\\\]|\\\\.)*":(?:"(?:[^"\\\\]|\\\\.)*"|[^"{}\\[\\],]+),)*'
const anyText = '(?:[^"\\\\]|\\\\.)*'

/**
 * Returns the pattern for a condition, which the server matches against canonical JSON. To deny, it matches the argument
 * anywhere. To allow, it matches only an argument of the call itself, because an agent can nest another one of this name.
 */
export function patternOf(condition: Condition, decision: 'deny' | 'allow'): string {
  if (condition.kind === 'any') return any
  if (condition.kind === 'pattern') return condition.pattern
  const { kind, argument, value } = condition
  const name = escaped(`"${jsonText(argument)}":`)
  const text = escaped(jsonText(value))
  const found = {
    contains: `"${anyText}${text}`,
    starts: `"${text}`,
    is: `(?:"${text}"|${text}[,}])`
  }[kind]
  return decision === 'allow' ? `${scalars}(?-i:${name})${found}` : `${name}${found}`
}

/** Returns the condition of a pattern. A pattern that no other condition has is shown as it is. */
export function conditionOf(pattern: string, decision: 'deny' | 'allow'): Condition {
  // A rule that allows every call has a mode instead of a pattern.
  if (pattern === any && decision === 'deny') return { kind: 'any' }
  const [, argument = '', rest = ''] =
    (decision === 'allow'
      ? pattern.startsWith(scalars) && /^\(\?-i:"(.+?)":\)(.+)$/s.exec(pattern.slice(scalars.length))
      : /^"(.+?)":(.+)$/s.exec(pattern)) || []
  const candidates = [
    ['contains', rest.startsWith(`"${anyText}`) ? rest.slice(anyText.length + 1) : ''],
    ['is', /^\(\?:"(.+)"\|/s.exec(rest)?.[1] ?? ''],
    ['starts', rest.slice(1)]
  ] as const
  for (const [kind, text] of candidates) {
    const condition = { kind, argument: plain(argument), value: plain(text) }
    if (text !== '' && patternOf(condition, decision) === pattern) return condition
  }
  return { kind: 'pattern', pattern }
}

/** The text as JSON writes it between quotes. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Undoes `escaped` and `jsonText`, if possible. */
function plain(pattern: string): string {
  try {
    return String(JSON.parse(`"${pattern.replace(/\\([\\^$.*+?()[\]{}|])/g, '$1')}"`))
  } catch {
    return ''
  }
}
