import { drainGenerator } from '@waystation/base/drain-generator.ts'
import type { PromptState } from '@waystation/protocol/session/prompt.ts'
import type { ModelMessage } from 'ai'
import type { Passed, RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { entriesToMessages, guidanceFor, withSummary } from './prompt.ts'
import { stoppedByPlugin } from './stopped-by-plugin.ts'
import { hasTtl, stripTtl } from './ttl.ts'
import type { AssembledPrompt, FailedTurn, FinalPrompt, PromptSource } from './turn.ts'

/**
 * Assembles the prompt of a step and yields its states (001-10): `instructions`, `history`, one for each
 * plugin with `beforeModel`, which can change anything, and `final`. Returns the prompt to send, or the end of
 * the turn if a plugin cancels. The next step starts from the context again.
 */
export async function* assemblePrompt(
  step: PromptSource
): AsyncGenerator<PromptState, FinalPrompt | FailedTurn> {
  const { hooks, serverHooks, model, tools, entries } = step
  const startedAt = performance.now()
  const userAfterTools = model.userAfterTools()
  const instructions = [step.instructions, guidanceFor(userAfterTools)]
    .filter(text => text !== '')
    .join('\n\n')
  let prompt: FinalPrompt = { model: model.name, instructions, messages: [], tools }
  let size = sizeOf(model, prompt)
  yield { stage: 'instructions', ...size, ms: elapsedMs(startedAt) }

  const readAt = performance.now()
  const toMessages = (messages: ModelMessage[]) => withSummary(messages, { ...step, userAfterTools })
  const rawMessages = entriesToMessages(entries, step)
  const needsFilter = hasTtl(entries)
  const history = needsFilter ? rawMessages : toMessages(rawMessages)
  prompt = { ...prompt, messages: history }
  size = sizeOf(model, prompt)
  const summary = step.summary === '' ? {} : { summary: true as const }
  yield { stage: 'history', ...size, ...summary, ms: elapsedMs(readAt) }

  for (const plugins of needsFilter ? [await serverHooks(), hooks] : [hooks]) {
    const hookResult = yield* runPlugins(model, plugins, prompt)
    if ('cancelled' in hookResult) return stoppedByPlugin(hookResult.cancelled)
    prompt =
      plugins === hooks
        ? hookResult.payload
        : { ...hookResult.payload, messages: toMessages(stripTtl(hookResult.payload.messages)) }
  }
  if (prompt.messages !== history || prompt.instructions !== instructions) size = sizeOf(model, prompt)
  yield { stage: 'final', ...size, ...leftOutOf(tools, prompt.tools), ms: elapsedMs(startedAt) }
  return prompt
}

/** Runs the plugins' `beforeModel` hooks one after the other and yields a state for each. */
async function* runPlugins(
  model: PromptSource['model'],
  hooks: RoundHooks,
  prompt: FinalPrompt
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

const sizeOf = ({ tokensOf }: PromptSource['model'], { instructions, messages }: FinalPrompt) => ({
  messages: messages.length,
  // The ages of messages are not sent.
  tokens: stripTtl(messages).reduce((sum, message) => sum + tokensOf(message), tokensOf(instructions))
})

const elapsedMs = (startedAt: number) => Math.round(performance.now() - startedAt)

const changedFrom = (before: FinalPrompt, after: FinalPrompt): Partial<PromptState> => ({
  ...(before.model === after.model ? {} : { model: after.model }),
  ...(before.instructions === after.instructions ? {} : { instructions: true }),
  ...leftOutOf(before.tools, after.tools)
})

function leftOutOf(before: FinalPrompt['tools'], after: FinalPrompt['tools']): Partial<PromptState> {
  const remaining = new Set(after.map(({ name }) => name))
  const leftOut = before.map(({ name }) => name).filter(name => !remaining.has(name))
  return leftOut.length === 0 ? {} : { leftOut }
}

/** Assembles the final prompt of a step, with all its states. Returns the end of the turn if a plugin cancels. */
export async function promptFor(step: PromptSource): Promise<AssembledPrompt | FailedTurn> {
  const states: PromptState[] = []
  const prompt = await drainGenerator(assemblePrompt(step), state => states.push(state))
  return 'kind' in prompt ? prompt : { ...prompt, states }
}
