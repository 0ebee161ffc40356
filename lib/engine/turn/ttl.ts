import type { Age } from '@waystation/protocol/age.ts'
import type { ModelMessage, ToolModelMessage } from 'ai'
import type { ContextEntry } from './turn.ts'

/** Tells whether any entry of a window has a duration (001-7). Most windows have none. */
export const hasTtl = (entries: readonly ContextEntry[]): boolean => entries.some(entry => hasDuration(entry))

const hasDuration = (entry: ContextEntry): boolean =>
  entry.duration !== undefined ||
  (entry.kind === 'step' && entry.calls.some(({ duration }) => duration !== undefined))

/** Returns the number of steps after each entry. */
export function roundsAfter(entries: readonly ContextEntry[]): number[] {
  let later = entries.reduce((sum, { kind }) => sum + (kind === 'step' ? 1 : 0), 0)
  return entries.map(({ kind }) => (kind === 'step' ? --later : later))
}

/**
 * Adds the age of an entry to its messages and results, as `providerOptions.waystation`, if they have a
 * duration. A call without a result at its place gets none.
 */
export function withTtl(
  entry: ContextEntry,
  rounds: number,
  messages: readonly ModelMessage[]
): readonly ModelMessage[] {
  if (!hasDuration(entry)) return messages
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
              : { ...part, providerOptions: ageOptions({ duration: call.duration, rounds }) }
          })
        }
      : entry.duration === undefined
        ? message
        : { ...message, providerOptions: ageOptions({ duration: entry.duration, rounds }) }
  )
}

const ageOptions = (age: Age) => ({ waystation: age })

/**
 * Removes the ages, which are only for plugins, from a prompt. A message without an age stays the same object, because
 * its size is cached by it.
 */
export const stripTtl = (messages: readonly ModelMessage[]): ModelMessage[] =>
  messages.map(message => (message.role === 'tool' ? withoutAges(message) : withoutAge(message)))

function withoutAges(message: ToolModelMessage): ToolModelMessage {
  const content = message.content.map(part => (part.type === 'tool-result' ? withoutAge(part) : part))
  return content.every((part, at) => part === message.content[at]) ? message : { ...message, content }
}

function withoutAge<Part extends Pick<ModelMessage, 'providerOptions'>>(part: Part): Part {
  if (part.providerOptions?.waystation === undefined) return part
  const { providerOptions: _, ...rest } = part
  return rest as Part
}
