import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import { diffWordsWithSpace } from 'diff'

/** A piece of a text that is the same in both, only in the first (`-`) or only in the second (`+`). */
type Piece = { sign: ' ' | '-' | '+'; text: string }

/** Searching for more changes takes too long. Texts with more are shown as removed and added. */
const maxEditLength = 2000

/** Returns the differences between two texts, word by word. */
export function wordsBetween(before: string, after: string): Piece[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength })
  if (parts === undefined)
    return [
      { sign: '-', text: before },
      { sign: '+', text: after }
    ]
  return parts.map(({ added, removed, value }) => ({ sign: added ? '+' : removed ? '-' : ' ', text: value }))
}

/** A call that only one turn made, or that both made with other arguments. */
export type CallChange = { kind: 'added' | 'removed' | 'changed'; toolName: string; fields: string[] }

/**
 * Returns the differences between the calls of two turns. The first call of a tool is compared with the other turn's
 * first call of it, the second with the second, and so on.
 */
export function callsBetween(before: TurnResult['calls'], after: TurnResult['calls']): CallChange[] {
  const names = [...new Set([...before, ...after].map(({ toolName }) => toolName))]
  return names.flatMap(toolName => {
    const [old, now] = [before, after].map(calls => calls.filter(call => call.toolName === toolName)) as [
      TurnResult['calls'],
      TurnResult['calls']
    ]
    return Array.from({ length: Math.max(old.length, now.length) }, (_, index): CallChange[] => {
      const [was, is] = [old[index], now[index]]
      if (was === undefined) return [{ kind: 'added', toolName, fields: [] }]
      if (is === undefined) return [{ kind: 'removed', toolName, fields: [] }]
      const fields = changedFields(was.input, is.input)
      return fields.length === 0 ? [] : [{ kind: 'changed', toolName, fields }]
    }).flat()
  })
}

function changedFields(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map(value =>
    typeof value === 'object' && value !== null ? value : { input: value }
  ) as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.filter(name => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
}

/** Returns whether two finished turns gave the same answer with the same calls. */
export const isSameResult = (before: TurnResult, after: TurnResult): boolean =>
  before.text === after.text && callsBetween(before.calls, after.calls).length === 0

/** Returns the positions of the lowest value. None if fewer than two are known, or if all are equal. */
export function lowest(values: readonly (number | undefined)[]): number[] {
  const known = values.filter(value => value !== undefined)
  const least = Math.min(...known)
  if (known.length < 2 || known.every(value => value === least)) return []
  return values.flatMap((value, index) => (value === least ? [index] : []))
}
