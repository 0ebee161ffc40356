import { isDeepStrictEqual } from 'node:util'
import { newId } from '@waystation/base/ids.ts'
import { handOffToolOf, isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { FinalAnswer } from '@waystation/protocol/session/summary-tool.ts'
import type { HookedCall, Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import type { AssistantContent, FailedTurn, FinishedStep, ModelCall } from './turn.ts'

/** The result of the hooks: the step and the chunks that show it, or the end of the turn. */
export type HookedStep = ShownStep | FailedTurn
type ShownStep = { step: FinishedStep; chunks: Chunk[] }

/**
 * Runs the plugins' hooks on a finished step: `afterModel` for the whole step, then `beforeTool` for each
 * call in order. `afterModel` can replace the text and the calls. `beforeTool` can change a call's tool and
 * arguments, or cancel the call, which then fails with the plugin's reason. The caller validates changed calls.
 * `held` contains the step's chunks if they were held back for `afterModel`.
 */
export async function applyStepHooks(
  hooks: RoundHooks,
  step: FinishedStep,
  { finishReason, held }: { finishReason: string; held: readonly Chunk[] }
): Promise<HookedStep> {
  const after = await afterModel(hooks, step, { finishReason, held })
  if (!('step' in after)) return after
  const { next } = hooks
  const withNext = next === undefined ? after : { ...after, step: { ...after.step, next } }
  const hasCallHooks = hooks.has('beforeTool') || hooks.has('beforeHandOff')
  return showFinalAnswer(hasCallHooks ? await beforeTools(hooks, withNext) : withNext)
}

const isFinalAnswer = ({ toolName }: HookedCall) => toolName === summaryTool

/** Shows a final answer, which is the argument of a call, as the agent's text (001-20). */
function showFinalAnswer(hookedStep: HookedStep): HookedStep {
  if (!('step' in hookedStep)) return hookedStep
  const answerChunks = hookedStep.step.calls.flatMap((call): Chunk[] => {
    const { data } = isFinalAnswer(call) && call.error === undefined ? FinalAnswer.safeParse(call.input) : {}
    if (data === undefined) return []
    return textChunks(`answer-${call.toolCallId}`, data.answer)
  })
  return answerChunks.length === 0
    ? hookedStep
    : { ...hookedStep, chunks: [...hookedStep.chunks, ...answerChunks] }
}

async function afterModel(
  hooks: RoundHooks,
  step: FinishedStep,
  { finishReason, held }: { finishReason: string; held: readonly Chunk[] }
): Promise<HookedStep> {
  const unchanged = { step, chunks: [...held] }
  if (!hooks.has('afterModel')) return unchanged
  const text = textIn(step.content)
  const hookedCalls = step.calls.map(toHookedCall)
  const hookResult = await hooks.run('afterModel', { text, calls: hookedCalls, finishReason })
  if ('cancelled' in hookResult) return stoppedByPlugin(hookResult.cancelled)
  if (!hookResult.changed) return unchanged
  const { duration, calls, text: newText } = hookResult.payload
  const replaced = newText === text ? unchanged : withText(unchanged, newText)
  const left = new Map(step.calls.map(call => [call.toolCallId, call]))
  const newCalls = calls.map(({ toolCallId, ...call }): ModelCall => {
    const original = left.get(toolCallId)
    if (original === undefined) return { ...call, toolCallId: newId('call') }
    left.delete(toolCallId)
    const isSame = isDeepStrictEqual(toHookedCall(original), { toolCallId, ...call })
    return isSame ? original : { ...call, toolCallId }
  })
  const hooked = withCalls(replaced, newCalls)
  return duration === undefined ? hooked : { ...hooked, step: { ...hooked.step, duration } }
}

async function beforeTools(hooks: RoundHooks, shown: ShownStep): Promise<HookedStep> {
  const calls: ModelCall[] = []
  for (const call of shown.step.calls) {
    const hookResult = call.error === undefined ? await beforeCall(hooks, toHookedCall(call)) : undefined
    if (hookResult === undefined) calls.push(call)
    else if ('cancelled' in hookResult) {
      const { plugin, reason } = hookResult.cancelled
      calls.push({ ...call, error: `Canceled by the plugin "${plugin}": ${reason}` })
    } else calls.push({ ...hookResult.payload, toolCallId: call.toolCallId })
  }
  return withCalls(shown, calls)
}

/** Runs `beforeTool` on a call and, if the call is a handoff, `beforeHandOff`, which can change it. */
async function beforeCall(hooks: RoundHooks, call: HookedCall): Promise<Passed<'beforeTool'>> {
  const hookResult = await hooks.run('beforeTool', call)
  if ('cancelled' in hookResult) return hookResult
  const { toolName, input } = hookResult.payload
  if (!isHandOff(toolName) || !hooks.has('beforeHandOff')) return hookResult
  const to = toolName.slice(handOffToolOf('').length)
  const { reason = '' } = (input ?? {}) as { reason?: string }
  const handOffResult = await hooks.run('beforeHandOff', { to, reason, by: 'agent' })
  if ('cancelled' in handOffResult) return handOffResult
  const { payload } = handOffResult
  if (payload.reason === reason && payload.to === to) return hookResult
  const newInput = payload.reason === '' ? {} : { reason: payload.reason }
  return {
    payload: { ...hookResult.payload, toolName: handOffToolOf(payload.to), input: newInput },
    changed: true
  }
}

/** Replaces a step's calls: in its content, which the model receives, and in its chunks, which people see. */
function withCalls({ step, chunks }: ShownStep, calls: ModelCall[]): ShownStep {
  const before = new Map(step.calls.map(call => [call.toolCallId, toHookedCall(call)]))
  const after = new Map(calls.map(call => [call.toolCallId, toHookedCall(call)]))
  const changed = [...after.values()].filter(call => !isDeepStrictEqual(call, before.get(call.toolCallId)))
  const isKept = (part: object) =>
    !('toolCallId' in part) || !before.has(String(part.toolCallId)) || after.has(String(part.toolCallId))
  const isUnchanged = (part: object) =>
    isKept(part) && !('toolCallId' in part && changed.some(call => call.toolCallId === part.toolCallId))
  const content = step.content
    .filter(isKept)
    .map(part => (part.type === 'tool-call' ? { ...part, ...after.get(part.toolCallId) } : part))
  const added = changed.filter(({ toolCallId }) => !before.has(toolCallId))
  return {
    step: {
      ...step,
      calls,
      content: [...content, ...added.map(call => ({ type: 'tool-call' as const, ...call }))]
    },
    chunks: [
      ...chunks.filter(isUnchanged),
      ...changed.map(call => ({ type: 'tool-input-available' as const, ...call }))
    ]
  }
}

const toHookedCall = ({ toolCallId, toolName, input }: HookedCall): HookedCall => ({
  toolCallId,
  toolName,
  input
})

const textIn = (content: AssistantContent): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** Replaces all text of the model with one text. */
function withText({ step, chunks }: ShownStep, text: string): ShownStep {
  const content = step.content.filter(part => part.type !== 'text')
  const others = chunks.filter(({ type }) => !/^text-(start|delta|end)$/.test(type))
  if (text === '') return { step: { ...step, content }, chunks: others }
  return {
    step: { ...step, content: [{ type: 'text', text }, ...content] },
    chunks: [...textChunks('plugins', text), ...others]
  }
}

const textChunks = (id: string, delta: string): Chunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id }
]
