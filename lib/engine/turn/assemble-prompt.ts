import type { ModelMessage } from 'ai'
import type { Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { PromptState } from '#lib/protocol/session/prompt.ts'
import { entriesToMessages, guidanceFor, withSummary } from './prompt.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import { hasTtl, stripTtl } from './ttl.ts'
import type { FinalPrompt, Step, StepModel, TurnEnd } from './turn.ts'

/**
 * The states that the prompt of a step comes by (001-10): `instructions`, `history`, each plugin that steps in there
 * (`beforeModel`: it may change the words and leave tools out), `final`. It comes to the prompt that is sent, or to the end of
 * the turn, when a plugin cancels it. The next step's begins from the context again.
 */
export async function* assemblePrompt(
  step: Step
): AsyncGenerator<PromptState, FinalPrompt | Extract<TurnEnd, { kind: 'failed' }>> {
  const { hooks, filter, model, tools, entries } = step
  const began = performance.now()
  const userAfterTools = model.userAfterTools()
  const instructions = [step.instructions, guidanceFor(userAfterTools)]
    .filter(text => text !== '')
    .join('\n\n')
  const named = Object.keys(tools)
  let now: Words = { instructions, messages: [], tools: named }
  let size = sizeOf(model, now)
  yield { stage: 'instructions', ...size, ms: since(began) }

  const read = performance.now()
  const write = (said: ModelMessage[]) => withSummary(said, { ...step, userAfterTools })
  const said = entriesToMessages(entries, step)
  const filtered = hasTtl(entries)
  now = { ...now, messages: filtered ? said : write(said) }
  size = sizeOf(model, now)
  const summary = step.summary === '' ? {} : { summary: true as const }
  yield { stage: 'history', ...size, ...summary, ms: since(read) }

  for (const plugins of filtered ? [filter, hooks] : [hooks]) {
    const passed = yield* through(model, plugins, now)
    if ('cancelled' in passed) return stoppedByPlugin(passed.cancelled)
    now =
      plugins === hooks
        ? passed.payload
        : { ...passed.payload, messages: write(stripTtl(passed.payload.messages)) }
  }
  if (now.messages !== said) size = sizeOf(model, now)
  yield { stage: 'final', ...size, ...leftOutOf(named, now.tools), ms: since(began) }
  const left = new Set(now.tools)
  return { ...now, tools: Object.fromEntries(Object.entries(tools).filter(([name]) => left.has(name))) }
}

/** What plugins make of a prompt, one after the other. */
async function* through(
  model: StepModel,
  hooks: RoundHooks,
  prompt: Words
): AsyncGenerator<PromptState, Passed<'beforeModel'>> {
  if (!hooks.has('beforeModel')) return { payload: prompt, changed: false }
  const stages = hooks.stages('beforeModel', prompt)
  let before = prompt
  for (;;) {
    const stage = await stages.next()
    if (stage.done === true) return stage.value
    const { plugin, outcome, payload, ms } = stage.value
    yield { stage: 'plugin', plugin, outcome, ...sizeOf(model, payload), ...changedFrom(before, payload), ms }
    before = payload
  }
}

/** A prompt as plugins have it: tools by their names. */
type Words = { instructions: string; messages: ModelMessage[]; tools: string[] }

const sizeOf = ({ tokensOf }: StepModel, { instructions, messages }: Words) => ({
  messages: messages.length,
  tokens: messages.reduce((sum, message) => sum + tokensOf(message), tokensOf(instructions))
})

const since = (began: number) => Math.round(performance.now() - began)

const changedFrom = (before: Words, after: Words): Pick<PromptState, 'instructions' | 'leftOut'> => ({
  ...(before.instructions === after.instructions ? {} : { instructions: true }),
  ...leftOutOf(before.tools, after.tools)
})

function leftOutOf(before: readonly string[], after: readonly string[]): Pick<PromptState, 'leftOut'> {
  const left = new Set(after)
  const leftOut = before.filter(name => !left.has(name))
  return leftOut.length === 0 ? {} : { leftOut }
}
