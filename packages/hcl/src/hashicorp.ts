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

/** Returns the result of HashiCorp's parser as JSON, or `refused` if it reports an error. */
export const theirs = (text: string): Promise<unknown> => parseTheirs('text.hcl', text).catch(() => 'refused')

/**
 * Returns the result of this package in the JSON form of HashiCorp's parser, or `refused`. That form groups blocks by
 * type and labels, and escapes `${` and `%{` in strings.
 */
export function ours(text: string): unknown {
  const result = parsed(text)
  return result instanceof HclError ? 'refused' : jsonOf(result)
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
      let parent: Record<string, unknown> = json
      const path = [item.type, ...item.labels.map(({ value }) => value)]
      for (const name of path.slice(0, -1))
        parent = parent[name] = (parent[name] ?? empty()) as Record<string, unknown>
      const last = path.at(-1)!
      parent[last] = [...((parent[last] as unknown[]) ?? []), jsonOf(item)]
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

/**
 * Checks that both parsers return the same for generated texts, or both report an error. More than 90 % of the texts
 * must be valid, because invalid ones prove little.
 */
export async function expectSameReading(numRuns: number): Promise<void> {
  let valid = 0
  await fc.assert(
    fc.asyncProperty(document, async text => {
      const expected = await theirs(text)
      if (expected !== 'refused') valid++
      expect(ours(text)).toEqual(expected)
    }),
    { numRuns }
  )
  expect(valid).toBeGreaterThan(0.9 * numRuns)
}

/**
 * Changes generated texts in one or two places and checks that both parsers report an error or neither does. Texts that
 * we reject as `UNSUPPORTED` are exempt.
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
      const result = parsed(changed)
      if (result instanceof HclError && result.code === 'UNSUPPORTED') return
      const isRefused = (await theirs(changed)) === 'refused'
      expect(
        result instanceof HclError,
        `${changed}\n${result instanceof HclError ? result.message : 'read'}`
      ).toBe(isRefused)
    }),
    { numRuns }
  )
}
