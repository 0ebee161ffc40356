import { type Age, isOver } from '@waystation/protocol/age.ts'
import type { ModelMessage, ToolResultPart } from 'ai'
import type { Plugin } from '#lib/plugins/plugin.ts'

/** Replaces an expired result whose call stays in the prompt (001-7). */
export const expiredResultText =
  'This result was removed, because it was stored only for a limited number of steps.'

/**
 * Removes messages and results from the prompt once their duration has passed (001-7). A call and its result
 * always stay together:
 *
 * - An assistant message is removed with its results once it and all of its results have expired.
 * - If it contains only calls, it is removed once its results have expired and the model has seen them, or their
 *   replacement, in one step.
 * - Any other expired result is replaced by `expiredResultText`.
 *
 * It runs before the agent's own plugins, whenever anything in the prompt has a duration.
 */
export const durationFilter: Plugin = {
  name: 'duration-filter',
  description: 'Removes messages and results from the prompt when their duration has passed. Always active.',
  hooks: () => ({
    beforeModel(prompt) {
      const removed = new Set<ModelMessage>()
      const messages = prompt.messages.map((message, index) => {
        const results = resultsOf(prompt.messages[index + 1])
        if (message.role === 'tool') return { ...message, content: message.content.map(withoutExpired) }
        if (isExpired(message) ? results.every(isExpired) : hasOnlyCalls(message) && results.every(isSeen))
          removed.add(message)
        return message
      })
      // Remove the results of a removed message too.
      const remaining = messages.filter(
        (message, index) =>
          !removed.has(message) &&
          !(message.role === 'tool' && removed.has(messages[index - 1] as ModelMessage))
      )
      const isSame = remaining.length === prompt.messages.length && !prompt.messages.some(hasExpiredResult)
      return isSame ? undefined : { change: { ...prompt, messages: remaining } }
    }
  })
}

const resultsOf = (message: ModelMessage | undefined): ToolResultPart[] =>
  message?.role === 'tool' ? message.content.filter(part => part.type === 'tool-result') : []

/** Returns whether a message has only calls and no duration of its own. */
const hasOnlyCalls = ({ role, content, providerOptions }: ModelMessage): boolean =>
  role === 'assistant' &&
  providerOptions?.waystation === undefined &&
  typeof content !== 'string' &&
  content.length > 0 &&
  content.every(({ type }) => type === 'tool-call')

/**
 * Returns whether a result has expired and the model saw it, or its replacement, in at least one step. Without
 * that step, the model would repeat the call.
 */
const isSeen = (result: ToolResultPart): boolean =>
  isExpired(result) && (result.providerOptions?.waystation as Age | undefined)?.rounds !== 0

const isExpired = ({ providerOptions }: Pick<ModelMessage, 'providerOptions'>): boolean => {
  const age = providerOptions?.waystation as Age | undefined
  return age !== undefined && isOver(age)
}

const hasExpiredResult = ({ role, content }: ModelMessage): boolean =>
  role === 'tool' && content.some(part => part.type === 'tool-result' && isExpired(part))

function withoutExpired<Part extends { type: string; providerOptions?: unknown }>(part: Part): Part {
  if (part.type !== 'tool-result' || !isExpired(part as never)) return part
  return { ...part, output: { type: 'text', value: expiredResultText } }
}
