import type { ModelMessage } from 'ai'
import type { Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { PromptState } from '#lib/protocol/session/prompt.ts'
import { guidanceFor, saidBy, toldTo } from './prompt.ts'
import { stoppedBy } from './stopped-by.ts'
import { ageless, hasDurations } from './ttl.ts'
import type { Begin, FinalPrompt, Turn, TurnEnd } from './turn.ts'

/**
 * The states that the prompt of a step comes by (001-10): `instructions`, `history`, each plugin that steps in there
 * (`beforeModel`: it may change the words and leave tools out), `final`. It comes to the prompt that is sent, or to the end of
 * the turn, when a plugin cancels it. The next step's begins from the context again.
 */
export async function* assemblePrompt(
  turn: Turn,
  begun: Extract<Begin, { kind: 'step' }>
): AsyncGenerator<PromptState, FinalPrompt | Extract<TurnEnd, { kind: 'failed' }>> {
  const { hooks, tools } = turn
  const began = performance.now()
  const instructions = [turn.instructions, guidanceFor(turn.userAfterTools)]
    .filter(text => text !== '')
    .join('\n\n')
  const named = Object.keys(tools)
  let now: Words = { instructions, messages: [], tools: named }
  let size = sizeOf(turn, now)
  yield { stage: 'instructions', ...size, ms: since(began) }

  const read = performance.now()
  const write = (said: ModelMessage[]) => toldTo(said, { ...begun, userAfterTools: turn.userAfterTools })
  const said = saidBy(begun.entries, begun)
  const filtered = hasDurations(begun.entries)
  now = { ...now, messages: filtered ? said : write(said) }
  size = sizeOf(turn, now)
  const summary = begun.summary === '' ? {} : { summary: true as const }
  yield { stage: 'history', ...size, ...summary, ms: since(read) }

  for (const steps of filtered ? [turn.filter, hooks] : [hooks]) {
    const passed = yield* through(turn, steps, now)
    if ('cancelled' in passed) return stoppedBy(passed.cancelled)
    now =
      steps === hooks
        ? passed.payload
        : { ...passed.payload, messages: write(ageless(passed.payload.messages)) }
  }
  if (now.messages !== said) size = sizeOf(turn, now)
  yield { stage: 'final', ...size, ...leftOutOf(named, now.tools), ms: since(began) }
  const left = new Set(now.tools)
  return { ...now, tools: Object.fromEntries(Object.entries(tools).filter(([name]) => left.has(name))) }
}

/** What plugins make of a prompt, one after the other. */
async function* through(
  turn: Turn,
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
    yield { stage: 'plugin', plugin, outcome, ...sizeOf(turn, payload), ...changedFrom(before, payload), ms }
    before = payload
  }
}

/** A prompt as plugins have it: tools by their names. */
type Words = { instructions: string; messages: ModelMessage[]; tools: string[] }

const sizeOf = (turn: Turn, { instructions, messages }: Words) => ({
  messages: messages.length,
  tokens: messages.reduce((sum, message) => sum + turn.tokensOf(message), turn.tokensOf(instructions))
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
