import type { HookedCall, Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { handOffToolOf, isHandOff } from '#lib/protocol/agent/hand-off.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { FinalAnswer, summaryTool } from '#lib/protocol/session/summary-tool.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import type { AssistantContent, FinishedStep, TurnEnd } from './turn.ts'

/** What came of a step once the plugins were heard: the step, with chunks that show what they made of it; or the turn's end. */
export type HookedStep = { step: FinishedStep; chunks: Chunk[] } | Extract<TurnEnd, { kind: 'failed' }>

/**
 * What the plugins make of a finished step: first of all of it (`afterModel`), then of each of its calls (`beforeTool`), in
 * the order in which the model made them. `held`: the step's chunks, where they were held back for `afterModel`. A text can be
 * replaced and calls left out; a call's arguments can be changed, and one that is cancelled is answered with that.
 */
export async function applyStepHooks(
  hooks: RoundHooks,
  step: FinishedStep,
  { finishReason, held }: { finishReason: string; held: readonly Chunk[] }
): Promise<HookedStep> {
  const after = await afterModel(hooks, step, { finishReason, held })
  if (!('step' in after)) return after
  const { next } = hooks
  const kept = next === undefined ? after : { ...after, step: { ...after.step, next } }
  const steps = hooks.has('beforeTool') || hooks.has('beforeHandOff')
  return withLastWord(steps ? await beforeTools(hooks, kept) : kept)
}

const isLastWord = ({ toolName }: HookedCall) => toolName === summaryTool

/** A final answer that is a call's argument (001-20) is shown as what the agent said. */
function withLastWord(heard: HookedStep): HookedStep {
  if (!('step' in heard)) return heard
  const said = heard.step.calls.flatMap((call): Chunk[] => {
    const { data } = isLastWord(call) && call.error === undefined ? FinalAnswer.safeParse(call.input) : {}
    if (data === undefined) return []
    const id = `answer-${call.toolCallId}`
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: data.answer },
      { type: 'text-end', id }
    ]
  })
  return said.length === 0 ? heard : { ...heard, chunks: [...heard.chunks, ...said] }
}

async function afterModel(
  hooks: RoundHooks,
  step: FinishedStep,
  { finishReason, held }: { finishReason: string; held: readonly Chunk[] }
): Promise<HookedStep> {
  const whole = { step, chunks: [...held] }
  if (!hooks.has('afterModel')) return whole
  const text = textIn(step.content)
  const calls = step.calls.map(hooked)
  const passed = await hooks.run('afterModel', { text, calls, finishReason })
  if ('cancelled' in passed) return stoppedByPlugin(passed.cancelled)
  if (!passed.changed) return whole
  const { payload } = passed
  const { duration } = payload
  const left = new Set(payload.calls.map(({ toolCallId }) => toolCallId))
  const isLeft = (part: object) => !('toolCallId' in part) || left.has(String(part.toolCallId))
  const replaced = payload.text === text ? undefined : payload.text
  return {
    step: {
      ...step,
      ...(duration === undefined ? {} : { duration }),
      calls: step.calls.filter(isLeft),
      content: withText(step.content.filter(isLeft), replaced)
    },
    chunks: withTextChunks(held.filter(isLeft), replaced)
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
    const passed = await beforeCall(hooks, hooked(call))
    if ('cancelled' in passed) {
      const { plugin, reason } = passed.cancelled
      calls.push({ ...call, error: `Cancelled by the plugin "${plugin}": ${reason}` })
    } else if (passed.changed) {
      const { toolCallId, toolName } = call
      const { input } = passed.payload
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

/** A call that hands over is told as a call, and then as a hand-over, whose reason can be changed. */
async function beforeCall(hooks: RoundHooks, call: HookedCall): Promise<Passed<'beforeTool'>> {
  const passed = await hooks.run('beforeTool', call)
  if ('cancelled' in passed || !isHandOff(call.toolName) || !hooks.has('beforeHandOff')) return passed
  const to = call.toolName.slice(handOffToolOf('').length)
  const { reason = '' } = (passed.payload.input ?? {}) as { reason?: string }
  const handed = await hooks.run('beforeHandOff', { to, reason, by: 'agent' })
  if ('cancelled' in handed) return handed
  const { reason: kept } = handed.payload
  if (kept === reason) return passed
  return { payload: { ...passed.payload, input: kept === '' ? {} : { reason: kept } }, changed: true }
}

const hooked = ({ toolCallId, toolName, input }: HookedCall): HookedCall => ({ toolCallId, toolName, input })

const textIn = (content: AssistantContent): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** One text in the place of all that the model said. */
function withText(content: AssistantContent, text: string | undefined): AssistantContent {
  if (text === undefined) return content
  const others = content.filter(part => part.type !== 'text')
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

function withTextChunks(chunks: Chunk[], text: string | undefined): Chunk[] {
  if (text === undefined) return chunks
  const others = chunks.filter(({ type }) => !/^text-(start|delta|end)$/.test(type))
  const id = 'plugins'
  const said: Chunk[] =
    text === ''
      ? []
      : [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: text },
          { type: 'text-end', id }
        ]
  return [...said, ...others]
}
