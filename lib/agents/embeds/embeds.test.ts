import type { EmbedReferences } from '@waystation/protocol/agent/embed.ts'
import { mightContainEmbed, readText } from '@waystation/protocol/agent/read-embeds.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EmbedError } from '#lib/agents/embeds/embed-error.ts'
import { type Found, type Lookup, limits, resolveEmbeds } from '#lib/agents/embeds/resolve.ts'

/** Makes a lookup in these entries, by slug or id. It adds each requested name to `requested`. */
function library(entries: Record<string, unknown>, requested: string[] = []): Lookup {
  return ({ workflow, agent }: EmbedReferences): Found | undefined => {
    const target = workflow ?? agent
    const name = target?.slug ?? target?.id ?? ''
    requested.push(name)
    const data = Object.hasOwn(entries, name) ? entries[name] : undefined
    return data === undefined ? undefined : { name, data, embeddable: name !== 'sealed' }
  }
}

const embed = (slug: string, path?: string, siblings: object = {}) => ({
  '@ag.embed': {
    '@ag.references': { workflow: { slug } },
    ...(path === undefined ? {} : { '@ag.selector': { path } })
  },
  ...siblings
})
const token = (slug: string, path: string) =>
  `@ag.embed[@ag.references[workflow.slug=${slug}], @ag.selector[path:${path}]]`
const snippet = (slug: string, path: string) => `@{{workflow.slug=${slug}, path:${path}}}`

const tool = { name: 'paint', input: { colour: 'red' } }
const entries = {
  paint: { parameters: { tool, text: 'Paint well.', sizes: [{ size: 1 }, { size: 2 }] } },
  nested: { parameters: { text: `Before you paint: ${snippet('paint', 'parameters.text')}` } },
  sealed: { parameters: {} },
  brace: { text: '@{', own: { constructor: 1 } },
  empty: { nothing: null }
}
const resolve = (value: unknown, more: object = entries) =>
  resolveEmbeds(value, { lookup: library(more as never) })

describe('the three forms of an embed', () => {
  test('an object embed is replaced by a copy of the selected value, and its source does not change', async () => {
    const before = structuredClone(entries)
    expect(await resolve({ tools: [embed('paint', 'parameters.tool')] })).toEqual({ tools: [tool] })
    expect(await resolve(embed('paint'))).toEqual(entries.paint)
    expect(entries).toEqual(before)
  })

  test('fields next to an embed override those of the selected value, and can contain embeds', async () => {
    const siblings = { name: 'draw', note: snippet('paint', 'parameters.text') }
    expect(await resolve(embed('paint', 'parameters.tool', siblings))).toEqual({
      ...tool,
      name: 'draw',
      note: 'Paint well.'
    })
    await expect(resolve(embed('paint', 'parameters.text', { name: 'x' }))).rejects.toMatchObject({
      kind: 'NotAnObject'
    })
  })

  test('a text that consists of one embed is replaced by the selected value of any type', async () => {
    expect(await resolve(token('paint', 'parameters.tool'))).toEqual(tool)
    expect(await resolve(snippet('paint', 'parameters.sizes.1.size'))).toBe(2)
    expect(await resolve([snippet('empty', 'nothing')])).toEqual([null])
  })

  test('embeds inside a text insert texts and numbers, and refuse other values', async () => {
    const text = `A: ${token('paint', 'parameters.text')} B: ${snippet('paint', 'parameters.sizes.0.size')}.`
    expect(await resolve({ text })).toEqual({ text: 'A: Paint well. B: 1.' })
    await expect(resolve(`A: ${token('paint', 'parameters.tool')}`)).rejects.toMatchObject({
      kind: 'NotText'
    })
  })

  test('whitespace between the parts of an embed is ignored, and other templates in double braces stay text', async () => {
    const spread =
      '@ag.embed[ @ag.references[ workflow.slug = paint ] ,\n @ag.selector[ path : parameters.text ] ]'
    expect(await resolve(spread)).toBe('Paint well.')
    expect(await resolve('@{{ workflow.slug=paint , path:parameters.text }}')).toBe('Paint well.')
    const other = { text: 'Hello @{{user.name}}, @{{ x }}, write to a@b.example' }
    expect(await resolve(other)).toBe(other)
  })

  test('embeds in an embedded value are resolved too', async () => {
    expect(await resolve([embed('nested', 'parameters.text')])).toEqual(['Before you paint: Paint well.'])
  })

  test('22 B5: a selector with the key of older configurations is refused with advice', async () => {
    const keyed = { '@ag.references': { workflow: { slug: 'paint' } }, '@ag.selector': { key: 'best' } }
    for (const value of [{ '@ag.embed': keyed }, '@{{workflow.slug=paint, key:best, path:parameters.text}}'])
      await expect(resolve(value)).rejects.toMatchObject({
        kind: 'MalformedEmbed',
        message: expect.stringContaining('"key"')
      })
  })
})

describe('embeds that cannot be resolved', () => {
  const cases: [string, unknown, object][] = [
    ['an unknown reference', embed('none'), { kind: 'UnknownReference' }],
    ['a path that leads nowhere', embed('paint', 'parameters.none'), { kind: 'PathNotFound' }],
    ['an index past the end', embed('paint', 'parameters.sizes.2'), { kind: 'PathNotFound' }],
    ['an index with a zero before it', embed('paint', 'parameters.sizes.01'), { kind: 'PathNotFound' }],
    ['the length of a list', embed('paint', 'parameters.sizes.length'), { kind: 'PathNotFound' }],
    ['a field that every object has', embed('paint', 'constructor.name'), { kind: 'PathNotFound' }],
    ['a method', embed('paint', 'parameters.toString'), { kind: 'PathNotFound' }],
    ['a constructor, also an own one', embed('brace', 'own.constructor'), { kind: 'PathNotFound' }],
    [
      'a text that becomes an embed',
      `${snippet('brace', 'text')}{workflow.slug=paint}}`,
      { kind: 'MalformedEmbed' }
    ],
    ['a prototype', embed('paint', '__proto__'), { kind: 'PathNotFound' }],
    ['an entry that is not for embedding', embed('sealed'), { kind: 'NotEmbeddable' }],
    ['an embed that is no object', { '@ag.embed': 7 }, { kind: 'MalformedEmbed' }],
    ['an embed of nothing', { '@ag.embed': { '@ag.references': {} } }, { kind: 'MalformedEmbed' }],
    [
      'a field that no embed has',
      { '@ag.embed': { ...embed('paint')['@ag.embed'], x: 1 } },
      { kind: 'MalformedEmbed' }
    ],
    ['both an id and a slug', '@{{workflow.slug=a, workflow.id=b}}', { kind: 'MalformedEmbed' }],
    [
      'a version and a revision',
      '@{{workflow.slug=a, workflow.version=1, workflow.revision=1}}',
      { kind: 'MalformedEmbed' }
    ],
    ['two families', '@{{workflow.slug=a, agent.slug=b}}', { kind: 'MixedFamilies' }],
    ['a token without its end', '@ag.embed[@ag.references[workflow.slug=a]', { kind: 'MalformedEmbed' }],
    ['the same said twice', '@{{workflow.slug=a, workflow.slug=b}}', { kind: 'MalformedEmbed' }]
  ]
  test.each(cases)(
    '%s is an error of its own kind with a message and a location',
    async (_, value, error) => {
      const expected = {
        ...error,
        code: 'INVALID_INPUT',
        extra: { fields: { 'list.1.at': expect.any(String) } }
      }
      await expect(resolve({ list: ['', { at: value }] })).rejects.toMatchObject(expected)
    }
  )

  test('two families in an object have their own error kind', async () => {
    const references = { workflow: { slug: 'a' }, agent: { slug: 'b' } }
    await expect(resolve({ '@ag.embed': { '@ag.references': references } })).rejects.toMatchObject({
      kind: 'MixedFamilies'
    })
  })

  test('the error of a circular reference names the circle from its start', async () => {
    const circle = { a: { x: embed('b', 'y') }, b: { y: [snippet('a', 'x')] }, into: { a: embed('a', 'x') } }
    await expect(resolve({ it: embed('into', 'a') }, circle)).rejects.toMatchObject({
      kind: 'CircularReference',
      message: expect.stringContaining('a#x → b#y → a#x')
    })
    await expect(resolve(embed('self'), { self: { in: embed('self') } })).rejects.toThrow('self → self')
  })

  test('using an entry twice, or two of its parts, is not a circular reference', async () => {
    const parts = { a: { x: embed('a', 'y'), y: 1 } }
    expect(await resolve([embed('a', 'x'), embed('a', 'x'), embed('a')], parts)).toEqual([
      1,
      1,
      { x: 1, y: 1 }
    ])
  })

  test('an error of the lookup is thrown on under every policy', async () => {
    const lookup = () => Promise.reject(new Error('The database is gone.'))
    await expect(resolveEmbeds(embed('a'), { lookup, onError: 'placeholder' })).rejects.toThrow('is gone')
  })
})

describe('the limits of embeds', () => {
  const chainOf = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, i) => [`e${i}`, { v: i === length - 1 ? 'end' : embed(`e${i + 1}`, 'v') }])
    )

  test('embeds can be nested ten levels deep, but not eleven', async () => {
    expect(await resolve(embed('e0', 'v'), chainOf(limits.depth))).toBe('end')
    await expect(resolve(embed('e0', 'v'), chainOf(limits.depth + 1))).rejects.toMatchObject({
      kind: 'TooDeep'
    })
  })

  test('a value can have a hundred embeds in total, including nested ones', async () => {
    const many = (n: number) => Array.from({ length: n }, () => snippet('paint', 'parameters.text'))
    expect(await resolve(many(limits.embeds))).toHaveLength(limits.embeds)
    await expect(resolve(many(limits.embeds + 1))).rejects.toMatchObject({ kind: 'TooManyEmbeds' })
    const doubling = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `e${i}`,
        { v: [embed(`e${i + 1}`, 'v'), embed(`e${i + 1}`, 'v')] }
      ])
    )
    await expect(resolve(embed('e0', 'v'), { ...doubling, e9: { v: 1 } })).rejects.toMatchObject({
      kind: 'TooManyEmbeds'
    })
  })

  test('the resolved value can have up to 1 MiB, including the value itself', async () => {
    const big = { big: { text: 'x'.repeat(400 * 1024) } }
    expect(await resolve([embed('big'), embed('big')], big)).toHaveLength(2)
    await expect(resolve([embed('big'), embed('big'), embed('big')], big)).rejects.toMatchObject({
      kind: 'TooLarge'
    })
    const own = 'x'.repeat(limits.bytes)
    await expect(resolve({ own, more: snippet('paint', 'parameters.text') })).rejects.toMatchObject({
      kind: 'TooLarge'
    })
    expect(await resolve({ own })).toEqual({ own })
  })

  test('a reference is looked up once, even if it is embedded several times', async () => {
    const requested: string[] = []
    const twice = [embed('paint', 'parameters.text'), snippet('paint', 'parameters.text'), embed('nested')]
    await resolveEmbeds(twice, { lookup: library(entries, requested) })
    expect(requested).toEqual(['paint', 'nested'])
    await expect(
      resolveEmbeds([embed('none'), embed('none')], { lookup: library({}, requested) })
    ).rejects.toThrow()
  })

  const hostile = [
    '@ag.embed[',
    '@{{workflow.',
    '@{{',
    '@ag.embed[@ag.references[workflow.slug=',
    '@{{ \n',
    '@',
    '@ag.embed[  '
  ]
  test.each(hostile)('%j in a long sequence is read in linear time', async part => {
    const text = (bytes: number) => part.repeat(Math.ceil(bytes / part.length))
    const [half, whole] = [512 * 1024, 1024 * 1024].map(bytes => text(bytes))
    const [stepsOfHalf, steps] = [readText(half!).steps, readText(whole!).steps]
    expect(steps).toBeLessThan(whole!.length * 6)
    expect(steps).toBeLessThan(stepsOfHalf * 2.1)
    expect(
      readText(whole!)
        .pieces.map(piece => ('raw' in piece ? piece.raw : piece.text))
        .join('')
    ).toBe(whole)
    expect(await resolveEmbeds(whole, { lookup: library({}), onError: 'keep' })).toBe(whole)
  })

  test('a value that is nested too deeply is refused without a stack overflow', async () => {
    let deep: unknown = embed('paint')
    for (let i = 0; i < 100_000; i++) deep = [deep]
    await expect(resolve(deep)).rejects.toMatchObject({ kind: 'TooDeep' })
  })
})

describe('the policies for embeds that cannot be resolved', () => {
  test('placeholder: the error kind replaces the embed, and other embeds are resolved', async () => {
    const value = {
      a: embed('none'),
      b: `x ${snippet('none', 'y')} ${snippet('paint', 'parameters.text')}`,
      c: '@ag.embed[ nonsense',
      d: embed('self')
    }
    const lookup = library({ ...entries, self: { x: embed('self'), y: 1 } })
    expect(await resolveEmbeds(value, { lookup, onError: 'placeholder' })).toEqual({
      a: '<error:UnknownReference>',
      b: 'x <error:UnknownReference> Paint well.',
      c: '<error:MalformedEmbed>nonsense',
      d: { x: '<error:CircularReference>', y: 1 }
    })
  })

  test('keep: the outermost embed stays unchanged, even if the error is in a nested one', async () => {
    const value = [
      embed('none'),
      embed('holder'),
      `x ${snippet('none', 'y')}`,
      snippet('paint', 'parameters.text')
    ]
    const lookup = library({ ...entries, holder: { fine: 1, broken: embed('none') } })
    const result = await resolveEmbeds(value, { lookup, onError: 'keep' })
    expect(result).toEqual([...value.slice(0, 3), 'Paint well.'])
  })
})

describe('field names are data', () => {
  test('__proto__ and constructor are copied as data and change no prototype', async () => {
    const value = JSON.parse(
      `{"__proto__": {"polluted": ${JSON.stringify(embed('paint', 'parameters.text'))}}, "constructor": {"prototype": {"polluted": 1}}}`
    )
    const result = (await resolve(value)) as object
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":{"polluted":"Paint well."},"constructor":{"prototype":{"polluted":1}}}'
    )
    const siblings = JSON.parse(`{"__proto__": {"polluted": 1}}`)
    const embedded = (await resolve({ ...embed('paint', 'parameters.tool'), ...siblings })) as object
    expect(Object.getPrototypeOf(embedded)).toBe(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('properties', () => {
  const slugs = ['a', 'b', 'c', 'd', 'none']
  /** JSON with embeds of each form, and with fragments that could become embeds when joined. */
  const withEmbeds: fc.Arbitrary<unknown> = fc.letrec(tie => ({
    slug: fc.constantFrom(...slugs),
    path: fc.constantFrom(undefined, 'x', 'y', 'x.0', 'z'),
    object: fc
      .tuple(
        tie('slug'),
        tie('path'),
        fc.option(fc.dictionary(fc.constantFrom('x', 'n'), tie('leaf'), { maxKeys: 2 }))
      )
      .map(([slug, path, siblings]) => embed(slug as string, path as string, siblings ?? {})),
    text: fc
      .array(
        fc.oneof(
          fc.constantFrom('@', '{', '{{workflow.slug=a}}', '@{', '@ag.', 'embed[', ' ', 'w'),
          fc
            .tuple(tie('slug'), fc.constantFrom('x', 'y'))
            .map(([slug, path]) => snippet(slug as string, path)),
          fc.tuple(tie('slug'), fc.constantFrom('x', 'y')).map(([slug, path]) => token(slug as string, path))
        ),
        { maxLength: 4 }
      )
      .map(parts => parts.join('')),
    leaf: fc.oneof(tie('text'), fc.integer(), fc.constant(null)),
    any: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      tie('object'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), tie('any'), { maxKeys: 2 })
    )
  })).any
  const graph = fc.record(Object.fromEntries(slugs.slice(0, 4).map(slug => [slug, withEmbeds])))

  test('a value without embeds is returned as the same object', async () => {
    const plain = fc
      .jsonValue()
      .filter(
        value => !JSON.stringify(value).includes('@ag.embed') && !mightContainEmbed(JSON.stringify(value))
      )
    await fc.assert(
      fc.asyncProperty(plain, async value => {
        const before = structuredClone(value)
        expect(await resolve(value)).toBe(value)
        expect(value).toEqual(before)
      })
    )
  })

  test('parts without embeds keep their identity next to parts with embeds', async () => {
    const [same, text] = [{ deep: [1, { two: 2 }] }, snippet('paint', 'parameters.text')]
    const result = (await resolve({ same, list: [same, text] })) as { same: object; list: object[] }
    expect([result.same, result.list[0]]).toEqual([same, same])
    expect(result.same).toBe(same)
    expect(result.list[0]).toBe(same)
  })

  test('any graph of embeds ends within the limits and looks up each entry once', async () => {
    await fc.assert(
      fc.asyncProperty(withEmbeds, graph, async (value, entries) => {
        const requested: string[] = []
        const lookup = library(entries, requested)
        const before = JSON.stringify([value, entries])
        const result = await resolveEmbeds(value, { lookup, onError: 'placeholder' })
        expect(requested.length).toBe(new Set(requested).size)
        expect(JSON.stringify(result).length).toBeLessThan(2 * limits.bytes)
        expect(JSON.stringify([value, entries])).toBe(before)
      }),
      { numRuns: 500 }
    )
  })

  test('resolving a resolved value changes nothing, and without an error all policies agree', async () => {
    await fc.assert(
      fc.asyncProperty(withEmbeds, graph, async (value, entries) => {
        const resolveWith = (value: unknown, onError: 'placeholder' | 'exception') =>
          resolveEmbeds(value, { lookup: library(entries), onError })
        const once = await resolveWith(value, 'placeholder')
        expect(await resolveWith(once, 'placeholder')).toBe(once)
        const thrownOrSame = await resolveWith(value, 'exception').catch(error => {
          expect(error).toBeInstanceOf(EmbedError)
          // The error can be absent from `once`, because a field next to an embed can hide it.
          return once
        })
        expect(JSON.stringify(thrownOrSame)).toBe(JSON.stringify(once))
      }),
      { numRuns: 500 }
    )
  })
})
