import type { ModelMessage, ToolResultPart } from 'ai'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { type Age, isOver } from '#lib/protocol/duration.ts'

/** In the place of a result whose time is over: its call stays, so the result does (001-7). */
export const noLongerKept =
  'This result was removed, because it was stored only for a limited number of steps.'

/**
 * Leaves out of a prompt what has stood in it for as long as it was to (001-7). A result is never without its call, nor a call
 * without its result: a round's own message goes when its time is over and that of all its results, and so does one that
 * says nothing but its calls, once the model has seen a round of what became of them; else a result whose time is over leaves a
 * line in its place. It runs ahead of an agent's plugins wherever anything has a duration.
 */
export const durationFilter: Plugin = {
  name: 'duration-filter',
  description: 'Removes messages and results from the prompt when their duration has passed. Always active.',
  hooks: () => ({
    beforeModel(prompt) {
      const gone = new Set<ModelMessage>()
      const messages = prompt.messages.map((message, n) => {
        const results = resultsOf(prompt.messages[n + 1])
        if (message.role === 'tool') return { ...message, content: message.content.map(shortened) }
        if (isGone(message) ? results.every(isGone) : isCallsAlone(message) && results.every(isSeen))
          gone.add(message)
        return message
      })
      // A round's results go with it.
      const left = messages.filter(
        (message, n) =>
          !gone.has(message) && !(message.role === 'tool' && gone.has(messages[n - 1] as ModelMessage))
      )
      return { change: { ...prompt, messages: left } }
    }
  })
}

const resultsOf = (message: ModelMessage | undefined): ToolResultPart[] =>
  message?.role === 'tool' ? message.content.filter(part => part.type === 'tool-result') : []

/** It has no time of its own, and goes with what it called. */
const isCallsAlone = ({ role, content, providerOptions }: ModelMessage): boolean =>
  role === 'assistant' &&
  providerOptions?.waystation === undefined &&
  typeof content !== 'string' &&
  content.length > 0 &&
  content.every(({ type }) => type === 'tool-call')

/** A result that is gone, and was there or had a line in its place for a round: else the model would call again. */
const isSeen = (result: ToolResultPart): boolean =>
  isGone(result) && (result.providerOptions?.waystation as Age | undefined)?.rounds !== 0

const isGone = ({ providerOptions }: Pick<ModelMessage, 'providerOptions'>): boolean => {
  const age = providerOptions?.waystation as Age | undefined
  return age !== undefined && isOver(age)
}

function shortened<Part extends { type: string; providerOptions?: unknown }>(part: Part): Part {
  if (part.type !== 'tool-result' || !isGone(part as never)) return part
  return { ...part, output: { type: 'text', value: noLongerKept } }
}
