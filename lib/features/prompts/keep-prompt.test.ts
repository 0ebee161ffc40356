import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type LastKept, promptToKeep } from './keep-prompt.ts'
import { joined } from './rebuild-prompt.ts'

const ctx = { workspaceId: 'default', ports: {} } as Ctx
const at = { tools: '[]', round: 1, cuts: 0 }

/** Keeps these prompts one after the other, and answers with the rows, and how many each is put together from. */
function keep(prompts: readonly ModelMessage[][]) {
  const rows: { base: number | null; skipped: number; kept: number; rest: unknown[]; depth: number }[] = []
  let last: LastKept | undefined
  for (const [id, messages] of prompts.entries()) {
    const kept = promptToKeep(ctx, { instructions: '', messages, tools: {}, states: [] }, at, last)
    last = kept.last(id)
    const { base, skipped, kept: count, rest } = kept.row
    const depth = base === null ? 1 : (rows[base]?.depth ?? 0) + 1
    rows.push({ base, skipped, kept: count, rest: JSON.parse(rest) as unknown[], depth })
  }
  const chain = (id: number): typeof rows => {
    const row = rows[id] as (typeof rows)[number]
    return row.base === null ? [row] : [...chain(row.base), row]
  }
  return { rows, rebuilt: prompts.map((_, id) => joined(chain(id))) }
}

const user = (content: string): ModelMessage => ({ role: 'user', content })

test('001-10: whatever a prompt was made of, it is put together again as it was', () => {
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
      expect(keep(prompts).rebuilt).toEqual(prompts)
    })
  )
})

test('001-10: a prompt is put together from 250 rows at most, and from little more than itself', () => {
  const short = Array.from({ length: 600 }, (_, n) => Array.from({ length: n + 1 }, (_, m) => user(`${m}`)))
  const { rows, rebuilt } = keep(short)
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(250)
  expect(rows.filter(({ base }) => base === null)).toHaveLength(3)
  expect(rebuilt.at(-1)).toEqual(short.at(-1))

  // Of which only the first message stays.
  const other = Array.from({ length: 40 }, (_, n) => [
    user('first'),
    ...Array.from({ length: 20 }, () => user(`${n} `.padEnd(2000, 'x')))
  ])
  expect(Math.max(...keep(other).rows.map(({ depth }) => depth))).toBeLessThan(4)

  const long = Array.from({ length: 30 }, (_, n) =>
    Array.from({ length: n + 1 }, (_, m) => user(`${m} `.padEnd(4000, 'x')))
  )
  const stored = keep(long).rows.reduce((sum, { rest }) => sum + JSON.stringify(rest).length, 0)
  expect(stored).toBeLessThan(3 * JSON.stringify(long.at(-1)).length)
  expect(keep(long).rebuilt.at(-1)).toEqual(long.at(-1))
})
