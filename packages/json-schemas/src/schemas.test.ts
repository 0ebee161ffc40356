import { afterAll, expect, test } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { schemasWith } from './schemas.ts'

const schemas = schemasWith()
afterAll(() => schemas.stop())
const check = (schema: Record<string, unknown>, value: unknown) => schemas.check(schema, value, '')
const errorOf = async (schema: Record<string, unknown>) => (await schemas.errorsOf([schema], ''))[0]

const order = {
  type: 'object',
  properties: {
    item: { type: 'string', minLength: 2 },
    size: { enum: ['small', 'large'] },
    count: { type: 'integer', default: 1 },
    to: {
      type: 'object',
      properties: { 'zip/code': { type: 'string', pattern: '^\\d{4}$' } },
      additionalProperties: false
    }
  },
  required: ['item']
}

test('a valid value is returned with the schema’s defaults, and otherwise unchanged', async () => {
  expect(await check(order, { item: 'tea', more: true })).toEqual({
    ok: true,
    value: { item: 'tea', more: true, count: 1 }
  })
})

test('errors are reported by path', async () => {
  const result = await check(order, { size: 'huge', count: 1.5, to: { city: 'x' } })
  expect(result).toEqual({
    ok: false,
    fields: {
      item: 'is missing',
      size: 'must be one of "small", "large"',
      count: 'must be integer',
      'to.city': 'is not a known field'
    }
  })
  expect(await check(order, { item: 'tea', to: { 'zip/code': '12' } })).toEqual({
    ok: false,
    fields: { 'to.zip/code': 'must match pattern "^\\d{4}$"' }
  })
  expect(await check(order, 'tea')).toEqual({ ok: false, fields: { '': 'must be object' } })
})

test('references within a schema, alternatives and older drafts are supported', async () => {
  const tree = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } } },
    type: 'object',
    properties: { root: { $ref: '#/definitions/node' }, pair: { type: 'array', items: [{ type: 'string' }] } }
  }
  expect(await check(tree, { root: { next: { next: {} } }, pair: ['a'] })).toMatchObject({ ok: true })
  expect(await check(tree, { root: { next: 5 } })).toMatchObject({
    fields: { 'root.next': 'must be object' }
  })
  const choice = { anyOf: [{ type: 'string' }, { type: 'number' }] }
  expect(await check(choice, 1)).toMatchObject({ ok: true })
  expect(await check(choice, null)).toMatchObject({ ok: false })
})

test.each([
  ['an unknown type', { type: 'objekt' }],
  ['properties that are not an object', { type: 'object', properties: 5 }],
  ['a reference to a missing definition', { $ref: '#/nowhere' }],
  ['a reference to another server', { $ref: 'https://evil.example/schema.json' }],
  ['an asynchronous keyword', { $async: true, type: 'string' }],
  ['a duplicate type', { type: ['object', 'object'] }],
  ['a look-ahead', { type: 'string', pattern: '(?=a)b' }],
  ['a back-reference', { type: 'string', pattern: '(a)\\1' }],
  ['a look-behind in patternProperties', { type: 'object', patternProperties: { '(?<=a)b': {} } }],
  ['a pattern that repeats too much', { type: 'string', pattern: '(a?){900}(b?){900}' }]
])('a schema with %s is unusable, and the reason is reported', async (_, schema) => {
  const error = await errorOf(schema)
  expect(error).toMatch(/\w/)
  expect(await check(schema, {})).toMatchObject({
    ok: false,
    fields: { '': expect.stringContaining(String(error)) }
  })
})

test('22 A2: defaults that would make a small value huge are rejected before they leave the thread', async () => {
  const huge = {
    type: 'array',
    items: { type: 'object', properties: { d: { default: 'x'.repeat(60_000) } } }
  }
  const ten = Array.from({ length: 10 }, () => ({}))
  expect(await check(huge, ten)).toMatchObject({ ok: true })
  const many = Array.from({ length: 9_000 }, () => ({}))
  expect(await check(huge, many)).toEqual({ ok: false, fields: { '': expect.any(String) } })
})

test('22 A2: the report of an invalid value is short, even if its keys are long', async () => {
  const long = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}`.padEnd(10_000, 'k'), 1]))
  const result = await check({ type: 'object', additionalProperties: { type: 'string' } }, long)
  expect(JSON.stringify(result).length).toBeLessThan(50_000)
})

/** Nested types with two names each. A converter that creates a schema for each name creates 2^depth of them. */
const doubled = (depth: number): object =>
  depth === 0
    ? { type: 'string' }
    : { type: ['object', 'null'], properties: { a: doubled(depth - 1) }, anyOf: [doubled(0), {}] }

const choices: Record<string, object> = { a26: { type: 'string' } }
for (let n = 25; n >= 0; n--)
  choices[`a${n}`] = { anyOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] }

test.each([
  ['deeply nested types', doubled(90) as Record<string, unknown>, {}],
  ['nested choices', { $ref: '#/$defs/a0', $defs: choices }, 1],
  ['a reference to itself', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }, 1],
  ['a backtracking pattern', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60_000)}b`],
  ['very many parts', { allOf: Array.from({ length: 4_000 }, () => ({ type: 'object' })) }, {}]
])(
  '22 A2: a schema with %s is checked on the other thread, and costs this thread little CPU time',
  async (_, schema, value) => {
    const cpu = await cpuTimeOf(async () => {
      await schemas.errorsOf([schema], '')
      await check(schema, value)
    })
    // Compiling the largest schema in this thread would take more than a second. Up to three child processes are started
    // instead.
    expect(cpu).toBeLessThan(300)
  }
)

test('a lane with many questions does not delay the others', async () => {
  const slow = {
    allOf: Array.from({ length: 200 }, (_, n) => ({ properties: { [`a${n}`]: { type: 'string' } } }))
  }
  const order: string[] = []
  const greedy = Array.from({ length: 10 }, (_, n) =>
    schemas.errorsOf([{ ...slow, title: `${n}` }], 'greedy').then(() => order.push('greedy'))
  )
  const modest = schemas.check({ type: 'string' }, 'a', 'modest').then(() => order.push('modest'))
  await Promise.all([...greedy, modest])
  expect(order.indexOf('modest')).toBeLessThanOrEqual(2)
})

test('a schema that takes too long has a error, and a new thread checks the next one', async () => {
  const hasty = schemasWith(1)
  try {
    const large = { allOf: Array.from({ length: 4_000 }, () => ({ type: 'object' })) }
    expect((await hasty.errorsOf([large], ''))[0]).toMatch(/\w/)
    expect(await hasty.check(large, {}, '')).toMatchObject({ ok: false })
  } finally {
    await hasty.stop()
  }
  expect(await check({ type: 'string' }, 'a')).toMatchObject({ ok: true })
})
