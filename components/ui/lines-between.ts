import { structuredPatch } from 'diff'

/** A line of a diff. `…` replaces unchanged lines, and its text says how many: "12 unchanged lines". */
export type Line = { sign: ' ' | '−' | '+' | '…'; text: string }

/**
 * Searching for at most 1,000 removed and added lines takes up to a tenth of a second. For texts with more
 * differences, all lines are shown as removed and added. Two unchanged lines surround each change.
 */
const options = { context: 2, maxEditLength: 1000 }

const signs: Record<string, Line['sign']> = { ' ': ' ', '-': '−', '+': '+' }

/**
 * Returns the differences between two texts, line by line, with as few removed and added lines as possible.
 * Unchanged lines far from any change become one line. An empty text has no lines.
 */
export function linesBetween(before: string, after: string): Line[] {
  const [old, now] = [before, after].map(text => (text === '' ? [] : text.split('\n'))) as [
    string[],
    string[]
  ]
  const [was, is] = [old, now].map(lines => lines.map(line => `${line}\n`).join('')) as [string, string]
  const patch = structuredPatch('', '', was, is, undefined, undefined, options)
  if (patch === undefined)
    return [
      ...old.map((text): Line => ({ sign: '−', text })),
      ...now.map((text): Line => ({ sign: '+', text }))
    ]
  let next = 0
  const skipTo = (index: number): Line[] => {
    const count = index - next
    next = index
    return count === 0 ? [] : [{ sign: '…', text: `${count} unchanged ${count === 1 ? 'line' : 'lines'}` }]
  }
  const changed = patch.hunks.flatMap(({ oldStart, oldLines, lines }) => {
    const skipped = skipTo(oldStart - 1)
    next += oldLines
    return [
      ...skipped,
      ...lines.map((line): Line => ({ sign: signs[line.charAt(0)] ?? ' ', text: line.slice(1) }))
    ]
  })
  return [...changed, ...skipTo(old.length)]
}
