import type { ContextView, TokenBreakdown } from '@waystation/protocol/session/context.ts'

/** How full the model's context is (001-17): `warning` above 80 %, `danger` above 95 %. */
export type Fullness = 'fine' | 'warning' | 'danger'

export const fullnessOf = (share: number): Fullness =>
  share > 0.95 ? 'danger' : share > 0.8 ? 'warning' : 'fine'

/** Returns a label for the fullness, next to its shape and color. Undefined if no warning is needed. */
export function fullnessWords(share: number): string | undefined {
  if (share > 1) return 'over the limit'
  return { fine: undefined, warning: 'nearly full', danger: 'about to overflow' }[fullnessOf(share)]
}

const whole = new Intl.NumberFormat('en-GB')

export const count = (tokens: number): string => whole.format(tokens)

export const inTokens = (tokens: number): string => `${count(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`

/** Formats a share in percent, rounded down. A share above 0 and below 1 % is shown as "< 1 %". */
export const inPercent = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.floor(share * 100)} %`

/** The parts of a prompt. */
const kinds: ReadonlyArray<{ kind: keyof TokenBreakdown; name: string }> = [
  { kind: 'system', name: 'Instructions' },
  { kind: 'tools', name: 'Tools' },
  { kind: 'summary', name: 'Earlier conversation' },
  { kind: 'user', name: 'User' },
  { kind: 'assistant', name: 'Assistant' },
  { kind: 'toolResults', name: 'Tool results' },
  { kind: 'outOfBand', name: 'Signals' }
]

/** The size of a prompt in corrected tokens, in total and by part. `limit` is the maximum size, if known. */
export type Fill = {
  parts: ReadonlyArray<{ name: string; tokens: number; share: number }>
  tokens: number
  limit: number | undefined
  /** The share of the limit. Above 1 if the prompt exceeds the limit. */
  share: number
}

/** Computes the size of each part, and its share of the prompt. The largest part is first. */
export function fillOf({ breakdown, corrected, ratio, contextTokens }: ContextView): Fill {
  const whole = Math.max(corrected, 1)
  const parts = kinds.map(({ kind, name }) => {
    const tokens = Math.round(breakdown[kind] * ratio)
    return { name, tokens, share: tokens / whole }
  })
  parts.sort((a, b) => b.tokens - a.tokens)
  return { parts, tokens: corrected, limit: contextTokens, share: corrected / (contextTokens ?? whole) }
}

/** Describes the size of the prompt: "60,000 of 120,000 tokens, 50 %". Adds a warning if needed. */
export function fillWords({ tokens, limit, share }: Fill): string {
  if (limit === undefined) return inTokens(tokens)
  const words = fullnessWords(share)
  const said = `${count(tokens)} of ${inTokens(limit)}, ${inPercent(share)}`
  return words === undefined ? said : `${said}, ${words}`
}

export const fillSentence = (fill: Fill): string => `Context: ${fillWords(fill)}`
