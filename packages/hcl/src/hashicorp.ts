import { parse as parseTheirs } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { expect } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { Block, HclValue } from './expression.ts'
import { document } from './generated-text.ts'
import { HclError } from './hcl-error.ts'
import { parseHcl } from './parse.ts'
import { scopeWith } from './scope.ts'
import { isMap } from './value-kind.ts'

const scope = scopeWith()

/** The text as HashiCorp's parser reads it, or `refused`. */
export const theirs = (text: string): Promise<unknown> => parseTheirs('text.hcl', text).catch(() => 'refused')

/** The text as this package reads it, in the form of HashiCorp's parser: blocks by type and labels, templates escaped. */
export function ours(text: string): unknown {
  const read = parsed(text)
  return read instanceof HclError ? 'refused' : jsonOf(read)
}

function parsed(text: string): Block | HclError {
  try {
    return parseHcl(text)
  } catch (error) {
    if (error instanceof HclError) return error
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

/**
 * Generated texts with a few letters changed are refused by both parsers or by neither. An `UNSUPPORTED` construct is the
 * exception: docs/hcl.md lists them.
 */
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
      const read = parsed(changed)
      if (read instanceof HclError && read.code === 'UNSUPPORTED') return
      const isRefused = (await theirs(changed)) === 'refused'
      expect(
        read instanceof HclError,
        `${changed}\n${read instanceof HclError ? read.message : 'read'}`
      ).toBe(isRefused)
    }),
    { numRuns }
  )
}
