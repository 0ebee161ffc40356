import { parsed } from './parsed.ts'
import type { Notice } from './read-notice.ts'
import type { Entry, Result } from './read-prompt.ts'

/**
 * Where a conversation stands, told from the prompt alone.
 *
 * The last thing a person said is the script in force. Each later step of the model that made calls was one step of
 * it, and the next one is due when all calls of the last are answered, at their place or by a late notice.
 */
export type Progress = {
  /** The last person's message and what is attached to it; nothing when nobody has spoken. */
  said?: { text: string; files: string[]; isNew: boolean }
  /** What was told since the model's last step. */
  notices: Notice[]
  /** How many steps of the script in force have made their calls. */
  stepsDone: number
  /** True when the next step (or the last word) has become possible since the model's last step. */
  isDue: boolean
  /** Something critical came in after the script: it is not continued. */
  isStopped: boolean
  /** What came back from the script's calls, in the order of the calls. */
  results: Result[]
  /** Every call of the conversation that still waits for its answer, oldest first. */
  waiting: { callId: string; tool: string; isOfScript: boolean }[]
}

export function progressOf(entries: readonly Entry[]): Progress {
  const lastStep = entries.findLastIndex(entry => entry.kind === 'step')
  const asked = entries.findLastIndex(entry => entry.kind === 'said')
  const after = entries.slice(asked + 1)
  const batches = after.filter(entry => entry.kind === 'step').filter(step => step.calls.length > 0)
  const settled = settledCalls(entries)
  const scriptCalls = batches.flatMap(step => step.calls)
  const lastCalls = batches.at(-1)?.calls
  // A script without calls yet became possible when it was said.
  const possibleAt = lastCalls
    ? Math.max(...lastCalls.map(call => settled.get(call.callId)?.at ?? Number.POSITIVE_INFINITY))
    : asked
  const said = entries[asked]
  return {
    said: said?.kind === 'said' ? { text: said.text, files: said.files, isNew: asked > lastStep } : undefined,
    notices: notificationTitles(entries.slice(lastStep + 1)),
    stepsDone: batches.length,
    isDue: possibleAt > lastStep && possibleAt < entries.length,
    isStopped: notificationTitles(after).some(isCritical),
    results: scriptCalls.flatMap(call => settled.get(call.callId)?.result ?? []),
    waiting: entries
      .flatMap(entry => (entry.kind === 'result' && entry.result.outcome === 'waiting' ? [entry.result] : []))
      .filter(({ callId }) => !settled.has(callId))
      .map(({ callId, tool }) => ({
        callId,
        tool,
        isOfScript: scriptCalls.some(call => call.callId === callId)
      }))
  }
}

/** True for an out-of-band message that ends what was going on. */
export const isCritical = (notice: Notice): boolean =>
  notice.kind === 'out-of-band' && notice.priority === 'critical'

const notificationTitles = (entries: readonly Entry[]): Notice[] =>
  entries.flatMap(entry => (entry.kind === 'notice' ? [entry.notice] : []))

/** Every call that has its answer: what it was, and where in the conversation it came. */
function settledCalls(entries: readonly Entry[]): Map<string, { at: number; result: Result }> {
  const settled = new Map<string, { at: number; result: Result }>()
  entries.forEach((entry, at) => {
    const result =
      entry.kind === 'result'
        ? entry.result
        : entry.kind === 'notice' && entry.notice.kind === 'answer'
          ? lateResult(entry.notice)
          : undefined
    if (result && result.outcome !== 'waiting' && !settled.has(result.callId))
      settled.set(result.callId, { at, result })
  })
  return settled
}

type LateAnswer = Extract<Notice, { kind: 'answer' }>

/**
 * A late answer as the result it is. Its text is JSON when the call had an output; `lib/engine/turn` begins it with
 * "Denied" or "Error" when it had none.
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
