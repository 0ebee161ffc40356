import { diffArrays } from 'diff'

/** A line of a diff. `…` replaces unchanged lines, and its text says how many: "12 unchanged lines". */
export type Line = { sign: ' ' | '−' | '+' | '…'; text: string }

/** The number of unchanged lines that are shown before and after each change. */
const context = 2

/**
 * Searching for at most 1,000 removed and added lines takes up to a tenth of a second. For texts with more
 * differences, all lines are shown as removed and added.
 */
const maxEditLength = 1000

/**
 * Returns the differences between two texts, line by line, with as few removed and added lines as possible.
 * Unchanged lines far from any change become one line. An empty text has no lines.
 */
export function linesBetween(before: string, after: string): Line[] {
  const [old, now] = [before, after].map(text => (text === '' ? [] : text.split('\n'))) as [
    string[],
    string[]
  ]
  const parts = diffArrays(old, now, { maxEditLength })
  if (parts === undefined) return [...signed('−', old), ...signed('+', now)]
  return parts.flatMap(({ added, removed, value }, at) => {
    if (added || removed) return signed(added ? '+' : '−', value)
    const first = at === 0 ? 0 : context
    const end = value.length - (at === parts.length - 1 ? 0 : context)
    const count = end - first
    return count <= 0
      ? signed(' ', value)
      : [
          ...signed(' ', value.slice(0, first)),
          { sign: '…', text: `${count} unchanged ${count === 1 ? 'line' : 'lines'}` },
          ...signed(' ', value.slice(end))
        ]
  })
}

const signed = (sign: Line['sign'], lines: string[]) => lines.map((text): Line => ({ sign, text }))
