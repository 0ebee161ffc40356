import type { Operation } from './history.ts'
import { sentences } from './model.ts'
import type { EndOfSession } from './state.ts'

/** The promise about what the agent says, with who looks whether it was kept. */
export const wordLooks = {
  /**
   * What the log has of a step that was kept is what the model said: nothing twice, nothing missing, nothing behind its end.
   * A step that somebody stopped has the beginning of it; one that was thrown away and begun anew says nothing.
   */
  words: (_: Operation[], { log, external }: EndOfSession): string[] => {
    if (external) return []
    const found: string[] = []
    /** Of each message: the text that is being said, and those that its step has said so far. */
    const open = new Map<string, string>()
    const said = new Map<string, { seq: number; text: string }[]>()
    const stopped = new Set<string>()
    const keep = (messageId: string) => {
      for (const { seq, text } of said.get(messageId) ?? [])
        if (!sentences.some(one => one === text || (stopped.has(messageId) && one.startsWith(text))))
          found.push(`At ${seq} ends "${text}", which no model said.`)
      said.delete(messageId)
    }
    for (const { seq, event } of log) {
      if (event.type !== 'chunk') continue
      const { chunk, messageId } = event
      const text = open.get(messageId)
      if (chunk.type === 'text-start') open.set(messageId, '')
      else if (chunk.type === 'text-delta' && text !== undefined) open.set(messageId, text + chunk.delta)
      else if (chunk.type === 'text-delta') found.push(`At ${seq} "${chunk.delta}" is in no text.`)
      else if (chunk.type === 'text-end') {
        said.set(messageId, [...(said.get(messageId) ?? []), { seq, text: text ?? '' }])
        open.delete(messageId)
      } else if (chunk.type === 'data-notice' && chunk.data.kind === 'stopped') stopped.add(messageId)
      else if (chunk.type === 'reset-step') {
        open.delete(messageId)
        said.delete(messageId)
      } else if (chunk.type === 'finish-step') keep(messageId)
    }
    for (const messageId of [...said.keys()]) keep(messageId)
    return found
  }
}
