import type { ContextView, TokenBreakdown } from '@waystation/protocol/session/context.ts'

/** How full the model's context is (001-17): a warning above 80 %, danger above 95 %. */
export type Fullness = 'fine' | 'warning' | 'danger'

export const fullnessOf = (share: number): Fullness =>
  share > 0.95 ? 'danger' : share > 0.8 ? 'warning' : 'fine'

/** What a fullness is called beside its form and its colour; undefined: nothing is to be said. */
export function fullnessWords(share: number): string | undefined {
  if (share > 1) return 'over the limit'
  return { fine: undefined, warning: 'nearly full', danger: 'about to overflow' }[fullnessOf(share)]
}

const whole = new Intl.NumberFormat('en-GB')

export const count = (tokens: number): string => whole.format(tokens)

export const inTokens = (tokens: number): string => `${count(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`

/** A share in percent; what is there and less than one is said to be. */
export const inPercent = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.floor(share * 100)} %`

/** The kinds of a prompt in the order in which they are sent. */
const kinds: ReadonlyArray<{ kind: keyof TokenBreakdown; name: string }> = [
  { kind: 'system', name: 'Instructions' },
  { kind: 'tools', name: 'Tools' },
  { kind: 'summary', name: 'Earlier conversation' },
  { kind: 'user', name: 'User' },
  { kind: 'assistant', name: 'Assistant' },
  { kind: 'toolResults', name: 'Tool results' },
  { kind: 'outOfBand', name: 'Out-of-band messages' }
]

/** A prompt in corrected tokens, kind by kind; `limit` is what they are to fit into, if anything is known. */
export type Fill = {
  parts: ReadonlyArray<{ name: string; tokens: number; share: number }>
  tokens: number
  limit: number | undefined
  /** Of the limit; above 1 where it is over. */
  share: number
}

export function fillOf({ breakdown, corrected, ratio, contextTokens }: ContextView): Fill {
  const of = contextTokens ?? Math.max(corrected, 1)
  const parts = kinds.map(({ kind, name }) => {
    const tokens = Math.round(breakdown[kind] * ratio)
    return { name, tokens, share: tokens / of }
  })
  return { parts, tokens: corrected, limit: contextTokens, share: corrected / of }
}

/** "Context: 60,000 of 120,000 tokens, 50 %", and what that means if it means anything. */
export function fillSentence({ tokens, limit, share }: Fill): string {
  if (limit === undefined) return `Context: ${inTokens(tokens)}`
  const words = fullnessWords(share)
  const said = `Context: ${count(tokens)} of ${inTokens(limit)}, ${inPercent(share)}`
  return words === undefined ? said : `${said}, ${words}`
}
