import { isOver } from '@waystation/protocol/age.ts'
import { roundsAfter } from '#lib/engine/turn/ttl.ts'
import type { AssistantContent, ContextEntry } from '#lib/engine/turn/turn.ts'

/** Estimates the expired tokens of a window, which are no longer sent, by category. */
export function expiredTokens(
  entries: readonly ContextEntry[],
  count: (text: string) => number
): { user: number; assistant: number; toolResults: number; outOfBand: number; notes: number } {
  const expired = { user: 0, assistant: 0, toolResults: 0, outOfBand: 0, notes: 0 }
  const roundsOf = roundsAfter(entries)
  for (const [n, entry] of entries.entries()) {
    const rounds = roundsOf[n] ?? 0
    const isExpired = entry.duration !== undefined && isOver({ duration: entry.duration, rounds })
    if (entry.kind !== 'step') {
      if (isExpired) expired[categories[entry.kind]] += entry.tokens
      continue
    }
    const remaining = entry.calls.filter(
      ({ duration }) => duration === undefined || !isOver({ duration, rounds })
    )
    const results = entry.calls
      .filter(call => !remaining.includes(call))
      .reduce((sum, { result }) => sum + count(JSON.stringify(result)), 0)
    expired.toolResults += results
    const isOnlyCalls =
      entry.duration === undefined && entry.calls.length > 0 && rounds > 0 && hasOnlyCalls(entry.content)
    if ((isExpired || isOnlyCalls) && remaining.length === 0)
      expired.assistant += Math.max(0, entry.tokens - results)
  }
  return expired
}

const hasOnlyCalls = (content: AssistantContent): boolean => content.every(({ type }) => type === 'tool-call')

const categories = { user: 'user', answer: 'toolResults', oob: 'outOfBand', note: 'notes' } as const
