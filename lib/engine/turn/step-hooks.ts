import { handOffToolOf, isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import { summaryTool } from '@waystation/protocol/call/tool-names.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import { FinalAnswer } from '@waystation/protocol/session/summary-tool.ts'
import type { HookedCall, Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import type { AssistantContent, FailedTurn, FinishedStep } from './turn.ts'

/** The result of the hooks: the step and the chunks that show it, or the end of the turn. */
export type HookedStep = { step: FinishedStep; chunks: Chunk[] } | FailedTurn

/**
 * Runs the plugins' hooks on a finished step: `afterModel` for the whole step, then `beforeTool` for each
 * call in order. `afterModel` can replace the text and remove calls. `beforeTool` can change a call's
 * arguments, or cancel the call, which then fails with the plugin's reason. `held` contains the step's chunks
 * if they were held back for `afterModel`.
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
    const id = `answer-${call.toolCallId}`
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: data.answer },
      { type: 'text-end', id }
    ]
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
  const calls = step.calls.map(toHookedCall)
  const hookResult = await hooks.run('afterModel', { text, calls, finishReason })
  if ('cancelled' in hookResult) return stoppedByPlugin(hookResult.cancelled)
  if (!hookResult.changed) return unchanged
  const { payload } = hookResult
  const { duration } = payload
  const remaining = new Set(payload.calls.map(({ toolCallId }) => toolCallId))
  const isKept = (part: object) => !('toolCallId' in part) || remaining.has(String(part.toolCallId))
  const newText = payload.text === text ? undefined : payload.text
  return {
    step: {
      ...step,
      ...(duration === undefined ? {} : { duration }),
      calls: step.calls.filter(isKept),
      content: withText(step.content.filter(isKept), newText)
    },
    chunks: withTextChunks(held.filter(isKept), newText)
  }
}

async function beforeTools(
  hooks: RoundHooks,
  { step, chunks }: { step: FinishedStep; chunks: Chunk[] }
): Promise<HookedStep> {
  const calls: FinishedStep['calls'] = []
  const inputs = new Map<string, unknown>()
  const shown: Chunk[] = []
  for (const call of step.calls) {
    if (call.error !== undefined) {
      calls.push(call)
      continue
    }
    const hookResult = await beforeCall(hooks, toHookedCall(call))
    if ('cancelled' in hookResult) {
      const { plugin, reason } = hookResult.cancelled
      calls.push({ ...call, error: `Cancelled by the plugin "${plugin}": ${reason}` })
    } else if (hookResult.changed) {
      const { toolCallId, toolName } = call
      const { input } = hookResult.payload
      calls.push({ ...call, input })
      inputs.set(toolCallId, input)
      shown.push({ type: 'tool-input-available', toolCallId, toolName, input })
    } else calls.push(call)
  }
  const content = step.content.map(part =>
    part.type === 'tool-call' && inputs.has(part.toolCallId)
      ? { ...part, input: inputs.get(part.toolCallId) }
      : part
  )
  return { step: { ...step, calls, content }, chunks: [...chunks, ...shown] }
}

/** Runs `beforeTool` on a call and, if the call is a handoff, `beforeHandOff`, which can change its reason. */
async function beforeCall(hooks: RoundHooks, call: HookedCall): Promise<Passed<'beforeTool'>> {
  const hookResult = await hooks.run('beforeTool', call)
  if ('cancelled' in hookResult || !isHandOff(call.toolName) || !hooks.has('beforeHandOff')) return hookResult
  const to = call.toolName.slice(handOffToolOf('').length)
  const { reason = '' } = (hookResult.payload.input ?? {}) as { reason?: string }
  const handOffResult = await hooks.run('beforeHandOff', { to, reason, by: 'agent' })
  if ('cancelled' in handOffResult) return handOffResult
  const { reason: newReason } = handOffResult.payload
  if (newReason === reason) return hookResult
  return {
    payload: { ...hookResult.payload, input: newReason === '' ? {} : { reason: newReason } },
    changed: true
  }
}

const toHookedCall = ({ toolCallId, toolName, input }: HookedCall): HookedCall => ({
  toolCallId,
  toolName,
  input
})

const textIn = (content: AssistantContent): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** Replaces all text of the model with one text; undefined leaves the content as it is. */
function withText(content: AssistantContent, text: string | undefined): AssistantContent {
  if (text === undefined) return content
  const others = content.filter(part => part.type !== 'text')
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

function withTextChunks(chunks: Chunk[], text: string | undefined): Chunk[] {
  if (text === undefined) return chunks
  const others = chunks.filter(({ type }) => !/^text-(start|delta|end)$/.test(type))
  const id = 'plugins'
  const textChunks: Chunk[] =
    text === ''
      ? []
      : [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: text },
          { type: 'text-end', id }
        ]
  return [...textChunks, ...others]
}
