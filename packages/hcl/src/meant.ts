import { shown } from './hcl-error.ts'

/**
 * Returns the advice for an unknown name, as the last part of an error message. It suggests the most similar known
 * name, or lists all of them if none is similar.
 */
export function meant(name: string, names: string[]): string {
  const near = names
    .map(other => ({ other, edits: name.length > 40 ? 40 : distance(name, other) }))
    .filter(({ other, edits }) => edits <= Math.max(1, Math.floor(other.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  if (near[0]) return `did you mean ${shown(near[0].other)}?`
  return names.length === 0
    ? 'remove it'
    : `use ${names.length === 1 ? '' : 'one of '}${names.map(shown).join(', ')}`
}

/**
 * The Damerau-Levenshtein distance (its optimal string alignment variant). It is the number of UTF-16 units to insert,
 * delete, replace or swap with the next one.
 */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      const least = Math.min(
        rows[row - 1]![column]! + 1,
        line[column - 1]! + 1,
        rows[row - 1]![column - 1]! + cost
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line.push(isSwap ? Math.min(least, rows[row - 2]![column - 2]! + 1) : least)
    }
    rows.push(line)
  }
  return rows[a.length]![b.length]!
}
