import type { PromptState } from '@waystation/protocol/session/prompt.ts'
import { length } from '#components/browser/format-time.ts'
import { count, inTokens } from '#components/session/wording/context-words.ts'

/** Returns the label of a stage of a prompt. For a plugin, it is the plugin's name. */
export const stateName = ({ stage, plugin }: PromptState): string =>
  ({ instructions: 'Instructions', history: 'History', plugin: plugin ?? 'Plugin', final: 'Final prompt' })[
    stage
  ]

export const messagesIn = (messages: number): string =>
  messages === 1 ? '1 message' : `${count(messages)} messages`

/** Describes how a stage changed the prompt, such as "41 → 12 messages, −9,000 tokens". */
export function stateWords(state: PromptState, before: PromptState | undefined): string {
  const { stage, messages, tokens, ms } = state
  const took = ms < 100 ? [] : [length(ms)]
  switch (stage) {
    case 'instructions':
      return [inTokens(tokens), ...took].join(' · ')
    case 'history': {
      const behind = state.summary ? [`the first is a summary of earlier messages`] : []
      return [messagesIn(messages), ...behind, inTokens(tokens - (before?.tokens ?? 0)), ...took].join(' · ')
    }
    case 'plugin':
      return [changeWords(state, before), ...took].join(' · ')
    case 'final':
      return [messagesIn(messages), inTokens(tokens), ...withoutWords(state)].join(' · ')
  }
}

function changeWords(state: PromptState, before: PromptState | undefined): string {
  if (state.outcome === 'failed') return 'failed and was skipped'
  if (state.outcome === 'same' || before === undefined) return 'changed nothing'
  const { messages, tokens, instructions, model } = state
  const by = tokens - before.tokens
  const changed = [
    ...(messages === before.messages ? [] : [`${count(before.messages)} → ${messagesIn(messages)}`]),
    ...(model === undefined ? [] : [`chose the model ${model}`]),
    ...(instructions ? ['changed instructions'] : []),
    ...withoutWords(state),
    ...(by === 0 ? [] : [`${by < 0 ? '−' : '+'}${inTokens(Math.abs(by))}`])
  ]
  return changed.length === 0 ? 'changed text' : changed.join(', ')
}

const withoutWords = ({ leftOut = [] }: PromptState): string[] =>
  leftOut.length === 0 ? [] : [`without ${leftOut.join(', ')}`]
