import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { joinRows } from './rebuild-prompt.ts'
import { type LastPrompt, promptRow } from './store-prompt.ts'

const ctx = { workspaceId: 'default', ports: {} } as Ctx
const position = { tools: '[]', round: 1, cuts: 0 }

const promptOf = (messages: ModelMessage[]) => ({
  model: 'demo/demo',
  instructions: '',
  messages,
  tools: [],
  states: []
})

/**
 * Stores the prompts one after the other. Returns their rows with the length of each chain, and the rebuilt
 * prompts.
 */
function storeAll(prompts: readonly ModelMessage[][]) {
  const rows: { base: number | null; skipped: number; kept: number; rest: unknown[]; depth: number }[] = []
  let last: LastPrompt | undefined
  for (const [id, messages] of prompts.entries()) {
    const stored = promptRow(ctx, promptOf(messages), position, last)
    last = stored.last(id)
    const { base, skipped, kept: count, rest } = stored.row
    const depth = base === null ? 1 : (rows[base]?.depth ?? 0) + 1
    rows.push({ base, skipped, kept: count, rest: JSON.parse(rest) as unknown[], depth })
  }
  const chain = (id: number): typeof rows => {
    const row = rows[id] as (typeof rows)[number]
    return row.base === null ? [row] : [...chain(row.base), row]
  }
  return { rows, rebuilt: prompts.map((_, id) => joinRows(chain(id))) }
}

const user = (content: string): ModelMessage => ({ role: 'user', content })

test('001-10: a rebuilt prompt is identical to the original, however it changed from step to step', () => {
  const change = fc.record({
    drop: fc.nat({ max: 4 }),
    from: fc.nat({ max: 6 }),
    put: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), changes => {
      const prompts: ModelMessage[][] = []
      for (const { drop, from, put } of changes) {
        const messages = (prompts.at(-1) ?? []).map(message => ({ ...message }))
        messages.splice(from, drop, ...put.map(user))
        prompts.push([...messages, user('z')])
      }
      expect(storeAll(prompts).rebuilt).toEqual(prompts)
    })
  )
})

test('001-10: a prompt is rebuilt from at most 250 rows, whose size stays close to its own', () => {
  const growing = Array.from({ length: 600 }, (_, n) => Array.from({ length: n + 1 }, (_, m) => user(`${m}`)))
  const { rows, rebuilt } = storeAll(growing)
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(250)
  expect(rows.filter(({ base }) => base === null)).toHaveLength(3)
  expect(rebuilt.at(-1)).toEqual(growing.at(-1))

  // Only the first message is the same in each of these prompts.
  const replaced = Array.from({ length: 40 }, (_, n) => [
    user('first'),
    ...Array.from({ length: 20 }, () => user(`${n} `.padEnd(2000, 'x')))
  ])
  expect(Math.max(...storeAll(replaced).rows.map(({ depth }) => depth))).toBeLessThan(4)

  const large = Array.from({ length: 30 }, (_, n) =>
    Array.from({ length: n + 1 }, (_, m) => user(`${m} `.padEnd(4000, 'x')))
  )
  const stored = storeAll(large).rows.reduce((sum, { rest }) => sum + JSON.stringify(rest).length, 0)
  expect(stored).toBeLessThan(3 * JSON.stringify(large.at(-1)).length)
  expect(storeAll(large).rebuilt.at(-1)).toEqual(large.at(-1))
})
