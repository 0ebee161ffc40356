import { parsed } from './parsed.ts'
import type { Notice } from './read-notice.ts'
import { acknowledgeTool, type Entry, type Result } from './read-prompt.ts'

/**
 * The state of a conversation, derived from the prompt alone.
 *
 * The newest user message is the current script. Each later model step with calls was one step of the script. The next
 * step is due when all calls of the previous one have an answer, either as a result or as a late answer. Calls that
 * acknowledge a message are not part of the script.
 */
export type Progress = {
  /** The newest user message with descriptions of its files. `isNew` is true if no model step followed it. */
  message?: { text: string; files: string[]; isNew: boolean }
  /** The notices since the model's last step. */
  notices: Notice[]
  /** The number of steps of the current script that made calls. */
  stepsDone: number
  /** True if the next step or the final reply became possible after the model's last step. */
  isDue: boolean
  /** True if a critical out-of-band message followed the script. The script then does not continue. */
  isStopped: boolean
  /** The results of the script's calls, in the order of the calls. */
  results: Result[]
  /** The results of acknowledgments since the model's last step. */
  acknowledged: Result[]
  /** All calls of the conversation without an answer, oldest first. */
  pending: { callId: string; tool: string; isOfScript: boolean }[]
}

/** Derives the progress from the entries of a prompt, which are ordered oldest first. */
export function progressOf(entries: readonly Entry[]): Progress {
  const lastStep = entries.findLastIndex(entry => entry.kind === 'step')
  const asked = entries.findLastIndex(entry => entry.kind === 'message')
  const after = entries.slice(asked + 1)
  const batches = after
    .filter(entry => entry.kind === 'step')
    .map(step => step.calls.filter(({ tool }) => tool !== acknowledgeTool))
    .filter(calls => calls.length > 0)
  const settled = settledCalls(entries)
  const scriptCalls = batches.flat()
  const lastCalls = batches.at(-1)
  // The first step of a script is possible as soon as its message arrives.
  const possibleAt = lastCalls
    ? Math.max(...lastCalls.map(call => settled.get(call.callId)?.at ?? Number.POSITIVE_INFINITY))
    : asked
  const message = entries[asked]
  return {
    message:
      message?.kind === 'message'
        ? { text: message.text, files: message.files, isNew: asked > lastStep }
        : undefined,
    notices: noticesIn(entries.slice(lastStep + 1)),
    stepsDone: batches.length,
    isDue: possibleAt > lastStep && possibleAt < entries.length,
    isStopped: noticesIn(after).some(isCritical),
    results: scriptCalls.flatMap(call => settled.get(call.callId)?.result ?? []),
    acknowledged: entries
      .slice(lastStep + 1)
      .flatMap(entry =>
        entry.kind === 'result' && entry.result.tool === acknowledgeTool ? [entry.result] : []
      ),
    pending: entries
      .flatMap(entry => (entry.kind === 'result' && entry.result.outcome === 'pending' ? [entry.result] : []))
      .filter(({ callId }) => !settled.has(callId))
      .map(({ callId, tool }) => ({
        callId,
        tool,
        isOfScript: scriptCalls.some(call => call.callId === callId)
      }))
  }
}

/** Returns true for an out-of-band message that stops the script. */
export const isCritical = (notice: Notice): boolean =>
  notice.kind === 'out-of-band' && notice.priority === 'critical'

const noticesIn = (entries: readonly Entry[]): Notice[] =>
  entries.flatMap(entry => (entry.kind === 'notice' ? [entry.notice] : []))

/** Returns the answered calls by ID, each with its first result and the index of the entry with that result. */
function settledCalls(entries: readonly Entry[]): Map<string, { at: number; result: Result }> {
  const settled = new Map<string, { at: number; result: Result }>()
  entries.forEach((entry, at) => {
    const result =
      entry.kind === 'result'
        ? entry.result
        : entry.kind === 'notice' && entry.notice.kind === 'answer'
          ? lateResult(entry.notice)
          : undefined
    if (result && result.outcome !== 'pending' && !settled.has(result.callId))
      settled.set(result.callId, { at, result })
  })
  return settled
}

type LateAnswer = Extract<Notice, { kind: 'answer' }>

/**
 * Converts a late answer to a result. `lib/engine/turn/prompt.ts` writes an output as JSON. It writes an error as
 * "Error: …" and a denial as "Denied." or "Denied: …".
 */
export function lateResult({ callId, tool, state, text }: LateAnswer): Result {
  const [, prefix, rest] = /^(Denied|Error)(?:\.|: )(.*)$/s.exec(text) ?? []
  if (prefix === 'Denied' || state === 'denied' || state === 'declined') {
    return { callId, tool, outcome: 'denied', value: rest ?? text }
  }
  if (prefix === 'Error' || state === 'failed' || state === 'expired' || state === 'cancelled') {
    return { callId, tool, outcome: 'failed', value: rest ?? text }
  }
  return { callId, tool, outcome: 'ok', value: parsed(text) }
}
