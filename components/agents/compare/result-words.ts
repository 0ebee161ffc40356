import type { TurnResult, Variant } from '@waystation/protocol/session/comparison.ts'
import { revisionName } from '#components/session/wording/revision-name.ts'
import type { CallChange } from './differences.ts'

/** Returns the name of what a turn ran on: "Version 2 · openai/gpt-5". */
export function ranOnWords({ revision, model }: TurnResult, pinned?: number | undefined): string {
  const ran = revision ?? pinned
  const name = ran === undefined ? 'Original' : ran < 0 ? 'Draft' : `Version ${revisionName(ran)}`
  return model === undefined || model === 'default' ? name : `${name} · ${model}`
}

export const stateWords: Record<TurnResult['state'], string> = {
  working: 'Working…',
  waiting: 'Waiting',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed'
}

/** "+ web-fetch", "− ask-question", "web-fetch: url". */
export const callWords = ({ kind, toolName, fields }: CallChange): string =>
  kind === 'added'
    ? `+ ${toolName}`
    : kind === 'removed'
      ? `− ${toolName}`
      : `${toolName}: ${fields.join(', ')}`

export const tokensOf = ({ inputTokens, outputTokens }: TurnResult): number | undefined =>
  inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0)

const number = new Intl.NumberFormat('en-US')

export function tokenWords(result: TurnResult): string {
  const tokens = tokensOf(result)
  return tokens === undefined ? '–' : number.format(tokens)
}

export const costWords = ({ usd }: TurnResult): string =>
  usd === undefined ? '–' : `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`

export const timeWords = ({ seconds }: TurnResult): string =>
  seconds === undefined ? '–' : seconds < 90 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`

export const isOver = ({ state }: TurnResult): boolean => state !== 'working' && state !== 'waiting'

export function wordCount({ text }: TurnResult): string {
  const count = text.split(/\s+/).filter(word => word !== '').length
  return count === 1 ? '1 word' : `${number.format(count)} words`
}

/** "Draft", "Version 2", with the model if it is another one. */
export const variantWords = ({ revision, model }: Variant): string =>
  [
    revision === 'draft' ? 'Draft' : `Version ${revision ?? ''}`.trim(),
    ...(model === undefined ? [] : [model])
  ].join(' · ')
