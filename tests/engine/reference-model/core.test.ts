import { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import {
  applyEvent,
  emptyTranscript,
  type Transcript,
  transcriptOf
} from '@waystation/protocol/session/fold.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stillWaiting } from '#lib/engine/turn/prompt.ts'
import { type Incoming, memorySession, type ScriptedStep } from './memory-session.ts'

const incoming: fc.Arbitrary<Incoming> = fc.oneof(
  fc.record({
    do: fc.constant('message' as const),
    mode: fc.constantFrom('queue' as const, 'steer' as const)
  }),
  fc.record({ do: fc.constant('answer' as const), pick: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constant('oob' as const), priority: fc.constantFrom(...OobPriority.options) })
)
const scriptedSteps: fc.Arbitrary<ScriptedStep[]> = fc.array(
  fc.record({
    inputs: fc.array(incoming, { maxLength: 4 }),
    calls: fc.constantFrom(0, 0, 1, 2, 3),
    lost: fc.constantFrom(
      'no' as const,
      'no' as const,
      'no' as const,
      'in the middle' as const,
      'at its end' as const
    )
  }),
  { minLength: 1, maxLength: 10 }
)
type Outcome = Awaited<ReturnType<typeof memorySession>>
const checkProperty = (numRuns: number, check: (outcome: Outcome) => void) =>
  fc.assert(
    fc.asyncProperty(scriptedSteps, async schedule => check(await memorySession(schedule))),
    { numRuns, seed: 1 }
  )

/** Expects that the prompt of each step starts with the previous one (docs/concepts/engine.md#prompt). */
function promptsOnlyGrow({ prompts }: Outcome): void {
  for (const [k, prompt] of prompts.slice(1).entries())
    expect(prompt.slice(0, prompts[k]?.length)).toEqual(prompts[k])
}

/**
 * Expects that each input is consumed once, messages of a mode in order, and that only input that starts no
 * turn is left.
 */
function inputIsConsumedOnce({ sent, consumed, pending, prompts, modeOf }: Outcome): void {
  expect([...consumed, ...pending.filter(name => !name.startsWith('answer'))].sort()).toEqual(
    [...sent].sort()
  )
  for (const name of pending) expect(name).toMatch(/^(oob|answer)-/)
  for (const mode of ['queue', 'steer'])
    expect(consumed.filter(name => modeOf.get(name) === mode)).toEqual(
      sent.filter(name => modeOf.get(name) === mode)
    )
  const last = JSON.stringify(prompts.at(-1))
  const times = (name: string) => last.split(`"${name}"`).length + last.split(`\\n${name}\\n`).length - 2
  for (const name of consumed) expect(times(name), name).toBe(1)
}

/**
 * Expects that each call is in every later prompt with one result at its place, and that a late answer is
 * delivered once.
 */
function noCallVanishes({ prompts, calls }: Outcome): void {
  const content = (prompts.at(-1) ?? []).flatMap(({ content }) => content as unknown as Part[])
  for (const { toolCallId, deferred, result } of calls) {
    const toolCalls = content.filter(part => part.type === 'tool-call' && part.toolCallId === toolCallId)
    // No prompt contains the calls of the last step.
    if (toolCalls.length === 0) continue
    expect(toolCalls).toHaveLength(1)
    const results = content.filter(part => part.type === 'tool-result' && part.toolCallId === toolCallId)
    const value = deferred ? stillWaiting : `answer to ${toolCallId}`
    expect(results).toMatchObject([{ output: { value } }])
    const lateAnswers = content.filter(
      part => part.type === 'text' && part.text?.includes(`id="${toolCallId}"`)
    )
    expect(lateAnswers).toHaveLength(deferred && result !== null ? 1 : 0)
  }
}
type Part = { type: string; text?: string; toolCallId?: string; output?: unknown }

test('for any input and any crash, prompts only grow, all input is consumed once in order, and no open call vanishes', () =>
  checkProperty(100, outcome => {
    promptsOnlyGrow(outcome)
    inputIsConsumedOnce(outcome)
    noCallVanishes(outcome)
  }))

test('any log, cut anywhere and resumed from a stored snapshot, gives the same transcript as the full log', () =>
  checkProperty(30, ({ log }) => {
    const fullTranscript = comparable(fold(log))
    for (let cut = 0; cut <= log.length; cut += 3) {
      const { messages, calls, outOfBand, ...rest } = fold(log.slice(0, cut))
      const stored = {
        ...rest,
        messages: messages.map(({ message }) => message),
        calls: Object.values(calls),
        outOfBand: Object.values(outOfBand)
      }
      expect(comparable(fold(log.slice(cut), transcriptOf(JSON.parse(JSON.stringify(stored)))))).toEqual(
        fullTranscript
      )
    }
  }))

const fold = (events: readonly SessionEvent[], start: Transcript = emptyTranscript) =>
  events.reduce(applyEvent, start)
/** Returns the transcript as it would be stored, without the fold’s internal state. */
const comparable = ({ messages, ...rest }: Transcript) =>
  JSON.parse(JSON.stringify({ ...rest, messages: messages.map(({ message }) => message) }))
