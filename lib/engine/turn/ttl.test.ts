import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationFilter, expiredResultText } from '#lib/plugins/built-in/duration-filter.ts'
import { entriesToMessages } from './prompt.ts'
import { stripTtl } from './ttl.ts'
import type { ContextEntry } from './turn.ts'

/** Returns the messages that the duration filter leaves. */
async function filteredPrompt(entries: ContextEntry[]): Promise<ModelMessage[]> {
  const prompt = { model: 'demo/demo', instructions: '', messages: entriesToMessages(entries), tools: [] }
  const verdict = await durationFilter.hooks(undefined).beforeModel?.(prompt, {} as never)
  return stripTtl(((verdict as { change: typeof prompt } | undefined)?.change ?? prompt).messages)
}

const duration = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
const withDuration = <Entry>(entry: Entry, of: number | undefined): Entry =>
  of === undefined ? entry : { ...entry, duration: of }
const steps = fc.record({
  text: fc.boolean(),
  of: duration,
  calls: fc.array(fc.record({ of: duration, deferred: fc.boolean() }), { maxLength: 3 })
})
const userEntry = (id: number, of?: number): ContextEntry =>
  withDuration({ id, kind: 'user', parts: [{ type: 'text', text: `m${id}` }], tokens: 1 } as ContextEntry, of)

type HistoryItem = {
  of: number | undefined
  text?: boolean
  calls?: { of: number | undefined; deferred: boolean }[]
}

const entriesOf = (history: readonly HistoryItem[]) =>
  history.map((item, n): ContextEntry => {
    if (item.calls === undefined) return userEntry(n, item.of)
    const calls = item.calls.map(({ of, deferred }, m) =>
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
      ...(item.text ? [{ type: 'text' as const, text: `s${n}` }] : []),
      ...calls.map(({ toolCallId, toolName }) => ({
        type: 'tool-call' as const,
        toolCallId,
        toolName,
        input: {}
      }))
    ]
    return withDuration({ id: n, kind: 'step', content, calls, tokens: 1 } as ContextEntry, item.of)
  })

test('001-7: for any durations, no result is without its call and no call without its result', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(steps, fc.record({ of: duration })), { maxLength: 12 }),
      async history => {
        const messages = await filteredPrompt(entriesOf(history))
        for (const [n, message] of messages.entries()) {
          const parts =
            message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
          const calls = parts.flatMap(part => (part.type === 'tool-call' ? [part.toolCallId] : []))
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

test('001-7: a duration counts steps: 0 is never sent, 1 is sent once, and without one a message stays', async () => {
  const step = (id: number): ContextEntry => ({
    id,
    kind: 'step',
    content: [{ type: 'text', text: `s${id}` }],
    calls: [],
    tokens: 1
  })
  const sentIds = async (entries: ContextEntry[]) =>
    JSON.stringify(await filteredPrompt(entries)).match(/[ms]\d/g)
  expect(await sentIds([userEntry(1, 0), userEntry(2, 1), userEntry(3)])).toEqual(['m2', 'm3'])
  expect(await sentIds([userEntry(1, 0), userEntry(2, 1), userEntry(3), step(4), userEntry(5, 2)])).toEqual([
    'm3',
    's4',
    'm5'
  ])
})

test('001-7: an expired result becomes a line if text surrounds its call, and a step of calls only is removed', async () => {
  const call = {
    toolCallId: 'c',
    toolName: 'look',
    deferred: false,
    result: { type: 'output' as const, value: 'found' },
    duration: 1
  }
  const toolCall = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'look', input: {} }
  const textPart = { type: 'text' as const, text: 'I look.' }
  const nextStep: ContextEntry = {
    id: 2,
    kind: 'step',
    content: [{ type: 'text', text: 'Found it.' }],
    calls: [],
    tokens: 1
  }
  const stepWith = (content: (typeof toolCall | typeof textPart)[], more: object = {}): ContextEntry => ({
    id: 1,
    kind: 'step',
    content,
    calls: [{ ...call, ...more }],
    tokens: 1
  })
  const promptOf = async (...entries: ContextEntry[]) => JSON.stringify(await filteredPrompt(entries))
  const nextStepOnly = JSON.stringify([{ role: 'assistant', content: nextStep.content }])
  expect(await promptOf(stepWith([textPart, toolCall]), nextStep)).toContain(expiredResultText)
  expect(await promptOf({ ...stepWith([textPart, toolCall]), duration: 1 }, nextStep)).toBe(nextStepOnly)
  expect(await promptOf(stepWith([toolCall]), nextStep)).toBe(nextStepOnly)
  expect(await promptOf(stepWith([toolCall], { duration: 0 }))).toContain(expiredResultText)
})

test('001-7: the filter changes nothing while no duration is over', async () => {
  const verdict = async (of: number) => {
    const messages = entriesToMessages([userEntry(1, of), { ...userEntry(2) }])
    const prompt = { model: 'demo/demo', instructions: '', messages, tools: [] }
    return durationFilter.hooks(undefined).beforeModel?.(prompt, {} as never)
  }
  expect(await verdict(3)).toBeUndefined()
})
