import { parse as parseTheirs } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { expect } from 'vitest'
import { evaluate } from '#lib/hcl/evaluate.ts'
import type { Block, HclValue } from '#lib/hcl/expression.ts'
import { HclError } from '#lib/hcl/hcl-error.ts'
import { parseHcl } from '#lib/hcl/parse.ts'
import { scopeWith } from '#lib/hcl/scope.ts'
import { isMap } from '#lib/hcl/value-kind.ts'
import { document } from '#tests/support/fakes/hcl-document.ts'

const scope = scopeWith()

/** A text as HashiCorp's own parser has it, or that it is refused. */
export const theirs = (text: string): Promise<unknown> => parseTheirs('text.hcl', text).catch(() => 'refused')

/** A text as ours has it, in their form: blocks by type and labels, and templates still escaped. */
export function ours(text: string): unknown {
  const told = verdict(text)
  return typeof told === 'string' ? 'refused' : jsonOf(told)
}

export function verdict(text: string): Block | string {
  try {
    return parseHcl(text)
  } catch (error) {
    if (error instanceof HclError) return error.message
    throw error
  }
}

function jsonOf(block: Block): Record<string, unknown> {
  const json = empty()
  for (const item of block.items)
    if (item.kind === 'attribute')
      json[item.name] = escaped(evaluate(item.expression, { ...scope, budget: { left: 1e9 } }))
    else {
      let place: Record<string, unknown> = json
      const path = [item.type, ...item.labels.map(({ value }) => value)]
      for (const name of path.slice(0, -1))
        place = place[name] = (place[name] ?? empty()) as Record<string, unknown>
      const last = path.at(-1)!
      place[last] = [...((place[last] as unknown[]) ?? []), jsonOf(item)]
    }
  return json
}

const empty = (): Record<string, unknown> => Object.create(null)

function escaped(value: HclValue): HclValue {
  if (typeof value === 'string') return value.replaceAll(/[$%](?=\{)/g, sign => sign + sign)
  if (Array.isArray(value)) return value.map(escaped)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [escaped(name), escaped(one)]))
}

/** Generated texts are read as HashiCorp's parser reads them, or refused by both. */
export async function expectSameReading(numRuns: number): Promise<void> {
  let read = 0
  await fc.assert(
    fc.asyncProperty(document, async text => {
      const expected = await theirs(text)
      if (expected !== 'refused') read++
      expect(ours(text)).toEqual(expected)
    }),
    { numRuns }
  )
  expect(read).toBeGreaterThan(0.9 * numRuns)
}

/** What HashiCorp's parser reads and ours refuses by name: see docs/hcl.md. */
const stricter = /not read here|too large for a number|no character that a text can hold/

/** Generated texts with a few letters changed are refused by both parsers or by neither, but for what docs/hcl.md names. */
export async function expectSameRefusals(numRuns: number): Promise<void> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    drop: fc.nat(2),
    put: fc.constantFrom(...'{}[]()"=\n,:.<>-+*/%!?&|$#\\~ 0ax_é'.split(''), '<<A\n', '${', '/*', '==', '')
  })
  await fc.assert(
    fc.asyncProperty(document, fc.array(change, { minLength: 1, maxLength: 2 }), async (text, changes) => {
      const letters = [...text]
      for (const { at, drop, put } of changes) letters.splice(Math.floor(at * letters.length), drop, put)
      const changed = letters.join('')
      const told = verdict(changed)
      if (typeof told === 'string' && stricter.test(told)) return
      const isRefused = (await theirs(changed)) === 'refused'
      expect(typeof told === 'string', `${changed}\n${typeof told === 'string' ? told : 'read'}`).toBe(
        isRefused
      )
    }),
    { numRuns }
  )
}
