import type { ModelMessage } from 'ai'
import { type Age, isOver } from '#lib/protocol/duration.ts'
import type { AssistantContent, ContextEntry } from './turn.ts'

/** Whether anything in a window may leave the prompt by its duration (001-7): most have nothing of the kind. */
export const hasTtl = (entries: readonly ContextEntry[]): boolean => entries.some(entry => isFleeting(entry))

const isFleeting = (entry: ContextEntry): boolean =>
  entry.duration !== undefined ||
  (entry.kind === 'step' && entry.calls.some(({ duration }) => duration !== undefined))

/** Each entry with the rounds since it: the steps that came after it. */
export function* withRounds(entries: readonly ContextEntry[]): Generator<[ContextEntry, number]> {
  let later = entries.reduce((sum, { kind }) => sum + (kind === 'step' ? 1 : 0), 0)
  for (const entry of entries) {
    if (entry.kind === 'step') later--
    yield [entry, later]
  }
}

/**
 * What stands for an entry in the prompt, with its age on it where it has a duration: on the message, and on each result, as
 * `providerOptions.waystation`. A call that is not settled at its place has none.
 */
export function withTtl(
  entry: ContextEntry,
  rounds: number,
  messages: readonly ModelMessage[]
): ModelMessage[] {
  if (!isFleeting(entry)) return [...messages]
  const calls = entry.kind === 'step' ? entry.calls : []
  return messages.map(message =>
    message.role === 'tool'
      ? {
          ...message,
          content: message.content.map(part => {
            const call = calls.find(
              ({ toolCallId }) => 'toolCallId' in part && part.toolCallId === toolCallId
            )
            return call === undefined || call.deferred || call.result === null || call.duration === undefined
              ? part
              : { ...part, providerOptions: ageOf({ duration: call.duration, rounds }) }
          })
        }
      : entry.duration === undefined
        ? message
        : { ...message, providerOptions: ageOf({ duration: entry.duration, rounds }) }
  )
}

const ageOf = (age: Age) => ({ waystation: age })

/** A prompt without what was said to plugins alone. */
export const stripTtl = (messages: readonly ModelMessage[]): ModelMessage[] =>
  messages.map(message =>
    message.role === 'tool'
      ? {
          ...message,
          content: message.content.map(part => (part.type === 'tool-result' ? without(part) : part))
        }
      : without(message)
  )

function without<Part extends Pick<ModelMessage, 'providerOptions'>>(part: Part): Part {
  if (part.providerOptions?.waystation === undefined) return part
  const { providerOptions: _, ...rest } = part
  return rest as Part
}

/** How many tokens of a window are not sent any more, by the heuristic, by what they are. */
export function expiredTokens(
  entries: readonly ContextEntry[],
  count: (text: string) => number
): { user: number; assistant: number; toolResults: number; outOfBand: number; notes: number } {
  const over = { user: 0, assistant: 0, toolResults: 0, outOfBand: 0, notes: 0 }
  for (const [entry, rounds] of withRounds(entries)) {
    const isGone = entry.duration !== undefined && isOver({ duration: entry.duration, rounds })
    if (entry.kind !== 'step') {
      if (isGone) over[kinds[entry.kind]] += entry.tokens
      continue
    }
    const left = entry.calls.filter(({ duration }) => duration === undefined || !isOver({ duration, rounds }))
    const results = entry.calls
      .filter(call => !left.includes(call))
      .reduce((sum, { result }) => sum + count(JSON.stringify(result)), 0)
    over.toolResults += results
    const isAlone =
      entry.duration === undefined && entry.calls.length > 0 && rounds > 0 && isCalls(entry.content)
    if ((isGone || isAlone) && left.length === 0) over.assistant += Math.max(0, entry.tokens - results)
  }
  return over
}

const isCalls = (content: AssistantContent): boolean => content.every(({ type }) => type === 'tool-call')

const kinds = { user: 'user', answer: 'toolResults', oob: 'outOfBand', note: 'notes' } as const
