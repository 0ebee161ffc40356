import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationFilter, noLongerKept } from '#lib/plugins/built-in/duration-filter.ts'
import { entriesToMessages } from './prompt.ts'
import { stripTtl } from './ttl.ts'
import type { ContextEntry } from './turn.ts'

/** What the filter leaves of a window. */
async function left(entries: ContextEntry[]): Promise<ModelMessage[]> {
  const prompt = { instructions: '', messages: entriesToMessages(entries), tools: [] }
  const verdict = await durationFilter.hooks(undefined).beforeModel?.(prompt, {} as never)
  return stripTtl((verdict as { change: typeof prompt }).change.messages)
}

const duration = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
const withDuration = <Entry>(entry: Entry, of: number | undefined): Entry =>
  of === undefined ? entry : { ...entry, duration: of }
const steps = fc.record({
  text: fc.boolean(),
  of: duration,
  calls: fc.array(fc.record({ of: duration, deferred: fc.boolean() }), { maxLength: 3 })
})
const said = (id: number, of?: number): ContextEntry =>
  withDuration({ id, kind: 'user', parts: [{ type: 'text', text: `m${id}` }], tokens: 1 } as ContextEntry, of)

type Made = {
  of: number | undefined
  text?: boolean
  calls?: { of: number | undefined; deferred: boolean }[]
}

const entriesOf = (history: readonly Made[]) =>
  history.map((one, n): ContextEntry => {
    if (one.calls === undefined) return said(n, one.of)
    const calls = one.calls.map(({ of, deferred }, m) =>
      withDuration(
        {
          toolCallId: `c${n}.${m}`,
          toolName: 'look',
          deferred,
          result: { type: 'output' as const, value: `r${n}.${m}` }
        },
        of
      )
    )
    const content = [
      ...(one.text ? [{ type: 'text' as const, text: `s${n}` }] : []),
      ...calls.map(({ toolCallId, toolName }) => ({
        type: 'tool-call' as const,
        toolCallId,
        toolName,
        input: {}
      }))
    ]
    return withDuration({ id: n, kind: 'step', content, calls, tokens: 1 } as ContextEntry, one.of)
  })

test('001-7: whatever the durations are, no result is without its call and no call without its result', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(steps, fc.record({ of: duration })), { maxLength: 12 }),
      async history => {
        const messages = await left(entriesOf(history))
        for (const [n, message] of messages.entries()) {
          const made =
            message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
          const calls = made.flatMap(part => (part.type === 'tool-call' ? [part.toolCallId] : []))
          const next = messages[n + 1]
          const results =
            next?.role === 'tool'
              ? next.content.flatMap(part => (part.type === 'tool-result' ? [part.toolCallId] : []))
              : []
          if (message.role === 'assistant') expect(results).toEqual(calls)
          if (message.role === 'tool') expect(messages[n - 1]?.role).toBe('assistant')
          expect(JSON.stringify(message)).not.toContain('waystation')
        }
      }
    )
  )
})

test('001-7: a duration counts rounds: 0 is never sent, 1 is sent once, without one it stays', async () => {
  const step = (id: number): ContextEntry => ({
    id,
    kind: 'step',
    content: [{ type: 'text', text: `s${id}` }],
    calls: [],
    tokens: 1
  })
  const words = async (entries: ContextEntry[]) => JSON.stringify(await left(entries)).match(/[ms]\d/g)
  expect(await words([said(1, 0), said(2, 1), said(3)])).toEqual(['m2', 'm3'])
  expect(await words([said(1, 0), said(2, 1), said(3), step(4), said(5, 2)])).toEqual(['m3', 's4', 'm5'])
})

test('001-7: a result whose time is over leaves a line in its place while what was said around its call stays; calls alone go with it', async () => {
  const call = {
    toolCallId: 'c',
    toolName: 'look',
    deferred: false,
    result: { type: 'output' as const, value: 'found' },
    duration: 1
  }
  const made = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'look', input: {} }
  const said = { type: 'text' as const, text: 'I look.' }
  const found: ContextEntry = {
    id: 2,
    kind: 'step',
    content: [{ type: 'text', text: 'Found it.' }],
    calls: [],
    tokens: 1
  }
  const looked = (content: (typeof made | typeof said)[], more: object = {}): ContextEntry => ({
    id: 1,
    kind: 'step',
    content,
    calls: [{ ...call, ...more }],
    tokens: 1
  })
  const told = async (...entries: ContextEntry[]) => JSON.stringify(await left(entries))
  const only = JSON.stringify([{ role: 'assistant', content: found.content }])
  expect(await told(looked([said, made]), found)).toContain(noLongerKept)
  expect(await told({ ...looked([said, made]), duration: 1 }, found)).toBe(only)
  expect(await told(looked([made]), found)).toBe(only)
  expect(await told(looked([made], { duration: 0 }))).toContain(noLongerKept)
})
