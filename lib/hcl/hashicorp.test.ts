import { parse as parseTheirs } from '@cdktn/hcl2json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { document } from '#tests/support/hcl-document.ts'
import { evaluate } from './evaluate.ts'
import type { Block, HclValue } from './expression.ts'
import { HclError } from './hcl-error.ts'
import { parseHcl } from './parse.ts'
import { scopeWith } from './scope.ts'
import { isMap } from './value-kind.ts'

const scope = scopeWith()

/** A text as HashiCorp's own parser has it, or that it is refused. */
const theirs = (text: string): Promise<unknown> => parseTheirs('text.hcl', text).catch(() => 'refused')

/** A text as ours has it, in their form: blocks by type and labels, and templates still escaped. */
function ours(text: string): unknown {
  const told = verdict(text)
  return told instanceof HclError ? 'refused' : jsonOf(told)
}

function verdict(text: string): Block | HclError {
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

const samples = [
  'a = 1\nb = "two"\nc = true\nd = null\ne = -1.5e3',
  'service "web" http {\n  port = 80\n}\nservice "web" http { port = 81 }\nservice "db" sql {}\n',
  'list = [1, "two", [3,\n 4,], {},]\n',
  'map = {\n  a = 1, b : 2\n  "c d" = 3,\n\n  e = { f = [] }\n}\n',
  'text = <<EOT\n  first "line"\n\n  \\n stays\nEOT\nafter = 1\n',
  'text = <<-EOT\n\n    deep\n      deeper\n   \n    EOT\n',
  'text = <<-EOT\n\t\ttabs\n\t  mixed\n\tEOT\n',
  '# one\n// two\n/* three\n lines */ a = 1 # after\nb = /* in */ 2 // after\n',
  `a = "\\"quoted\\" \\\\ \\t \\u00e9 \\U0001F600 $\${x} %%{y} $ %"\n`,
  `a = "x\${1}y\${"z"}\${true}"\nb = "\${[1, 2]}"\n`,
  'outer {\n  inner "x" {\n    deep { a = 1 }\n    deep { a = 2 }\n  }\n}\n',
  '\uFEFFa = 1\r\nb {\r\n  c = "d"\r\n}\r\n',
  'a = "e\u0301"\nü = "ö"\nkebab-case_1 = 1\n',
  '__proto__ {\n  toString = 1\n}\nconstructor = { __proto__ = 2, hasOwnProperty = [3] }\n',
  'a = [<<ONE\none\nONE\n, <<TWO\ntwo\nTWO\n]\n',
  '',
  '\n\n# nothing\n'
]

test.each(samples)('003-18: a sample is read as HashiCorp’s parser reads it: %j', async sample => {
  expect(await theirs(sample)).not.toBe('refused')
  expect(ours(sample)).toEqual(await theirs(sample))
})

test('003-18: what is generated is read as HashiCorp’s parser reads it, or refused by both', async () => {
  let read = 0
  await fc.assert(
    fc.asyncProperty(document, async text => {
      const expected = await theirs(text)
      if (expected !== 'refused') read++
      expect(ours(text)).toEqual(expected)
    }),
    { numRuns: 1_000 }
  )
  expect(read).toBeGreaterThan(900)
})

test('003-18: with a few letters changed, a text is refused by both or by neither, but for what docs/hcl.md names', async () => {
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
      // What HashiCorp's parser reads and ours refuses by name: see docs/hcl.md.
      if (told instanceof HclError && told.code === 'UNSUPPORTED') return
      const isRefused = (await theirs(changed)) === 'refused'
      const refused = told instanceof HclError
      expect(refused, `${changed}\n${refused ? told.message : 'read'}`).toBe(isRefused)
    }),
    { numRuns: 1_000 }
  )
})
