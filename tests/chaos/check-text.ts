import type { Operation } from './history.ts'
import { sentences } from './model.ts'
import type { EndOfSession } from './state.ts'

/** The check for the text of the agent. */
export const textChecks = {
  /**
   * The log has exactly the text of the model for each finished step: no repeated, missing or trailing text.
   * A stopped step has the beginning of the text. A step that was discarded and retried has none.
   */
  text: (_: Operation[], { log, external }: EndOfSession): string[] => {
    if (external) return []
    const problems: string[] = []
    /** The unfinished text of each message, and the finished texts of its current step. */
    const open = new Map<string, string>()
    const finishedTexts = new Map<string, { seq: number; text: string }[]>()
    const stopped = new Set<string>()
    const checkStep = (messageId: string) => {
      for (const { seq, text } of finishedTexts.get(messageId) ?? [])
        if (
          !sentences.some(
            sentence => sentence === text || (stopped.has(messageId) && sentence.startsWith(text))
          )
        )
          problems.push(`At ${seq} ends "${text}", which no model said.`)
      finishedTexts.delete(messageId)
    }
    for (const { seq, event } of log) {
      if (event.type !== 'chunk') continue
      const { chunk, messageId } = event
      const text = open.get(messageId)
      if (chunk.type === 'text-start') open.set(messageId, '')
      else if (chunk.type === 'text-delta' && text !== undefined) open.set(messageId, text + chunk.delta)
      else if (chunk.type === 'text-delta') problems.push(`At ${seq} "${chunk.delta}" is in no text.`)
      else if (chunk.type === 'text-end') {
        finishedTexts.set(messageId, [...(finishedTexts.get(messageId) ?? []), { seq, text: text ?? '' }])
        open.delete(messageId)
      } else if (chunk.type === 'data-notice' && chunk.data.kind === 'stopped') stopped.add(messageId)
      else if (chunk.type === 'reset-step') {
        open.delete(messageId)
        finishedTexts.delete(messageId)
      } else if (chunk.type === 'finish-step') checkStep(messageId)
    }
    for (const messageId of [...finishedTexts.keys()]) checkStep(messageId)
    return problems
  }
}
