import { schemasWith } from '@waystation/json-schemas'
import { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { anyText, fuzz, fuzzTimeout } from '#tests/support/fuzz.ts'

const schemas = schemasWith()
afterAll(() => schemas.stop())

const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'objekt')
const pattern = fc.constantFrom('^(a+)+$', '(a|a)*b', '^\\d{4}$', '(?=x)', '\\1', '(', 'a{1000}{1000}', '')
const name = fc.constantFrom('a', 'b', 'c/d', '~', '__proto__', 'constructor', '$ref')

const { schema } = fc.letrec<{ inner: Record<string, unknown>; schema: Record<string, unknown> }>(tie => {
  const inner = tie('inner')
  const many = fc.array(inner, { minLength: 1, maxLength: 4 })
  const parts: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.array(type, { maxLength: 7 })),
    properties: fc.dictionary(name, inner, { maxKeys: 3 }),
    patternProperties: fc.dictionary(pattern, inner, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    items: fc.oneof(inner, many),
    prefixItems: many,
    allOf: many,
    anyOf: many,
    oneOf: many,
    not: inner,
    if: inner,
    dependentSchemas: fc.dictionary(name, inner, { maxKeys: 2 }),
    unevaluatedProperties: fc.boolean(),
    $defs: fc.dictionary(name, inner, { maxKeys: 2 }),
    $ref: fc.constantFrom('#', '#/$defs/a', '#/properties/a', 'https://evil.example/x', '#/nowhere'),
    $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'urn:none'),
    $id: fc.constantFrom('urn:a', '#', ''),
    required: fc.array(name, { maxLength: 3 }),
    pattern,
    format: fc.constantFrom('email', 'uri', 'date-time', 'regex', 'none'),
    enum: fc.array(fc.jsonValue(), { maxLength: 4 }),
    const: fc.jsonValue(),
    minLength: fc.integer(),
    multipleOf: fc.double(),
    default: fc.jsonValue(),
    description: anyText()
  }
  const part = fc.oneof(...Object.entries(parts).map(([name, of]) => of.map(value => [name, value] as const)))
  return {
    inner: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.record({ type }), tie('schema')),
    schema: fc.array(part, { maxLength: 4 }).map(Object.fromEntries)
  }
})

/** Schemas below and above the limit of 64 KiB: nested, wide, or with one long value. */
const large = fc
  .tuple(
    schema,
    fc.constantFrom('nested', 'types', 'wide', 'all', 'text'),
    fc.integer({ min: 1, max: 2_000 })
  )
  .map(([inner, kind, maxSize]) => {
    const size = Math.min(maxSize, Math.ceil((128 * 1024) / JSON.stringify(inner).length))
    const types = { type: ['object', 'object'] }
    if (kind === 'text')
      return { ...inner, description: 'x'.repeat(size * 32), pattern: '(a+)+'.repeat(size) }
    if (kind === 'all') return { allOf: Array.from({ length: size }, () => inner) }
    if (kind === 'wide')
      return { properties: Object.fromEntries(Array.from({ length: size }, (_, n) => [`p${n}`, inner])) }
    let nested: Record<string, unknown> = inner
    for (let depth = 0; depth < size % 60; depth++)
      nested = { ...(kind === 'types' ? types : {}), properties: { a: nested } }
    return nested
  })

test(
  '22 A2: no JSON Schema up to 64 KiB blocks the event loop for 20 ms or ends the process',
  () =>
    fuzz(
      fc.tuple(fc.oneof(schema, large), fc.jsonValue()),
      async ([schema, value]) => {
        const parsed = JsonSchema.safeParse(schema)
        if (!parsed.success) return
        const [fault] = await schemas.errorsOf([parsed.data], 'fuzz')
        if (fault === null) await schemas.check(parsed.data, value, 'fuzz')
      },
      { mostMs: 20 }
    ),
  fuzzTimeout
)
