import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stillWaiting } from '#lib/engine/turn/prompt.ts'
import { OobPriority } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { applyEvent, emptyTranscript, type Transcript, transcriptOf } from '#lib/protocol/session/fold.ts'
import { type Incoming, memorySession, type Thought } from './memory-session.ts'

const incoming: fc.Arbitrary<Incoming> = fc.oneof(
  fc.record({
    do: fc.constant('message' as const),
    mode: fc.constantFrom('queue' as const, 'steer' as const)
  }),
  fc.record({ do: fc.constant('answer' as const), pick: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constant('oob' as const), priority: fc.constantFrom(...OobPriority.options) })
)
const thoughts: fc.Arbitrary<Thought[]> = fc.array(
  fc.record({
    meanwhile: fc.array(incoming, { maxLength: 4 }),
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
type Played = Awaited<ReturnType<typeof memorySession>>
const always = (numRuns: number, holds: (played: Played) => void) =>
  fc.assert(
    fc.asyncProperty(thoughts, async schedule => holds(await memorySession(schedule))),
    { numRuns, seed: 1 }
  )

/** The prompt of each step begins with the one of the step before (docs/concepts/engine.md#prompt). */
function promptsOnlyGrow({ prompts }: Played): void {
  for (const [k, prompt] of prompts.slice(1).entries())
    expect(prompt.slice(0, prompts[k]?.length)).toEqual(prompts[k])
}

/** What came in was taken in once; messages of a kind in their order; only what starts nothing by itself still waits. */
function allIsTakenOnce({ sent, taken, waits, prompts, modeOf }: Played): void {
  expect([...taken, ...waits.filter(name => !name.startsWith('answer'))].sort()).toEqual([...sent].sort())
  for (const name of waits) expect(name).toMatch(/^(oob|answer)-/)
  for (const mode of ['queue', 'steer'])
    expect(taken.filter(name => modeOf.get(name) === mode)).toEqual(
      sent.filter(name => modeOf.get(name) === mode)
    )
  const last = JSON.stringify(prompts.at(-1))
  const times = (name: string) => last.split(`"${name}"`).length + last.split(`\\n${name}\\n`).length - 2
  for (const name of taken) expect(times(name), name).toBe(1)
}

/** A call stands in every later prompt with one result at its place; an answer that came too late for it is told once. */
function noCallVanishes({ prompts, calls }: Played): void {
  const content = (prompts.at(-1) ?? []).flatMap(({ content }) => content as unknown as Part[])
  for (const { toolCallId, deferred, result } of calls) {
    const made = content.filter(part => part.type === 'tool-call' && part.toolCallId === toolCallId)
    // What the last step made no prompt can hold.
    if (made.length === 0) continue
    expect(made).toHaveLength(1)
    const results = content.filter(part => part.type === 'tool-result' && part.toolCallId === toolCallId)
    const value = deferred ? stillWaiting : `answer to ${toolCallId}`
    expect(results).toMatchObject([{ output: { value } }])
    const told = content.filter(part => part.type === 'text' && part.text?.includes(`id="${toolCallId}"`))
    expect(told).toHaveLength(deferred && result !== null ? 1 : 0)
  }
}
type Part = { type: string; text?: string; toolCallId?: string; output?: unknown }

test('whatever comes in while the real loop works, and whoever dies over a step: prompts only grow, everything is taken in once, in order, and no open call vanishes', () =>
  always(100, played => {
    promptsOnlyGrow(played)
    allIsTakenOnce(played)
    noCallVanishes(played)
  }))

test('the log of any schedule, cut anywhere and read on from what was stored there, is the log read whole', () =>
  always(30, ({ log }) => {
    const whole = shown(fold(log))
    for (let cut = 0; cut <= log.length; cut += 3) {
      const { messages, calls, outOfBand, ...rest } = fold(log.slice(0, cut))
      const stored = {
        ...rest,
        messages: messages.map(({ message }) => message),
        calls: Object.values(calls),
        outOfBand: Object.values(outOfBand)
      }
      expect(shown(fold(log.slice(cut), transcriptOf(JSON.parse(JSON.stringify(stored)))))).toEqual(whole)
    }
  }))

const fold = (events: readonly SessionEvent[], from: Transcript = emptyTranscript) =>
  events.reduce(applyEvent, from)
/** As it would be stored, without what a fold keeps for itself. */
const shown = ({ messages, ...rest }: Transcript) =>
  JSON.parse(JSON.stringify({ ...rest, messages: messages.map(({ message }) => message) }))
