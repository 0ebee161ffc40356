import { expect, test } from 'vitest'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { Call } from '#lib/protocol/call/call.ts'
import { longestStretchOf } from '#tests/support/cpu-time.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const names = [
  'wiki-search',
  'wiki-backlinks',
  'wiki-toc',
  'wiki-recent',
  'wiki-list-tiddlers',
  'wiki-get-errors'
]
type Fields = Record<string, string>

/** A session of an agent that has the wiki tools, and these wikis. */
async function reading(wikis: Record<string, Fields[]>, allowed?: string[]) {
  const world = await testWorld()
  for (const [name, tiddlers] of Object.entries(wikis)) {
    await createWiki(world.ctx, { name })
    await importWiki(world.ctx, { wiki: name, file: 'a.json', text: JSON.stringify(tiddlers) })
  }
  const tools = names.map(name => ({ name, ...(allowed === undefined ? {} : { wikis: allowed }) }))
  await world.agent({ chat: { tools } })
  const session = await world.session('test')
  /** Has the agent use a tool, and gives what the tool answered: its result, or the text of its error. */
  const uses = async (name: string, input: object = {}) => {
    await session.says(`use ${name} ${JSON.stringify(input)}`)
    const call = (await session.get()).calls.at(-1) as Call
    expect(call.toolName).toBe(name)
    return (call.output ?? call.errorText) as never
  }
  return { ...world, session, uses }
}

type Errors = { errors: { title: string; kind: string }[]; total: number }

/** All errors of a wiki. One question looks for a second; where there is more, the next one goes on from there. */
async function errorsOf(
  uses: (name: string, input: object) => Promise<Errors & { checked: number }>
): Promise<Errors> {
  const errors: Errors['errors'] = []
  for (let offset = 0; ; ) {
    const found = await uses('wiki-get-errors', { offset })
    errors.push(...found.errors)
    offset += found.checked
    if (offset >= found.total || found.checked === 0) return { errors, total: found.total }
  }
}

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\D/g, '')
const garden: Fields[] = [
  { title: 'Garden', text: 'Everything that grows: [[Rose]] and [[Oak]].', modified: ago(1) },
  { title: 'Plants', text: '', tags: 'Garden', modified: ago(2) },
  { title: 'Rose', text: "! Rose\nIt ''pricks''. See [[Thorn]].", tags: 'Plants', modified: ago(3) },
  { title: 'Oak', text: 'Old. Not a [[Rose]].', tags: 'Plants [[slow things]]', modified: ago(50) },
  { title: 'Leaf', text: '', tags: 'Oak', modified: ago(60) },
  { title: 'Vein', text: '', tags: 'Leaf', modified: ago(70) }
]

test('001-20: wiki-search finds tiddlers by words, and reads one by its title', async () => {
  const { uses } = await reading({ garden })
  expect(await uses('wiki-search', { query: 'rose' })).toMatchObject({
    wiki: 'garden',
    total: 3,
    tiddlers: [{ title: 'Rose' }, { title: 'Garden' }, { title: 'Oak' }]
  })
  expect(await uses('wiki-search', { title: 'Rose' })).toMatchObject({
    tiddlers: [{ title: 'Rose', tags: ['Plants'], text: "! Rose\nIt ''pricks''. See [[Thorn]]." }]
  })
  expect(await uses('wiki-search', { title: 'Tulip' })).toBe(notFound('tiddler', 'Tulip').message)
})

test('001-20: wiki-list-tiddlers is skinny and by pages, and says how to go on', async () => {
  const many = Array.from({ length: 120 }, (_, n) => ({
    title: `Note ${String(n).padStart(3, '0')}`,
    text: 'x'
  }))
  const { uses } = await reading({ many })
  const first = (await uses('wiki-list-tiddlers')) as { tiddlers: object[]; hint: string }
  expect(first.tiddlers).toHaveLength(50)
  expect(first.tiddlers[0]).toEqual({ title: 'Note 000', tags: [] })
  expect(first.hint).toContain('offset=50')
  const last = await uses('wiki-list-tiddlers', { offset: 100, limit: 200 })
  expect(last).toMatchObject({ total: 120 })
  expect(last).not.toHaveProperty('hint')
})

test('001-20: wiki-recent lists what was changed last, within so many days', async () => {
  const { uses } = await reading({ garden })
  expect(await uses('wiki-recent', { limit: 2 })).toMatchObject({
    total: 6,
    tiddlers: [{ title: 'Garden' }, { title: 'Plants' }]
  })
  expect(await uses('wiki-recent', { daysAgo: 10 })).toMatchObject({
    tiddlers: [{ title: 'Garden' }, { title: 'Plants' }, { title: 'Rose' }]
  })
})

test('001-20: wiki-backlinks lists what links to a tiddler, also to one that is not there', async () => {
  const { uses } = await reading({ garden })
  expect(await uses('wiki-backlinks', { title: 'Rose' })).toEqual({
    wiki: 'garden',
    title: 'Rose',
    total: 2,
    backlinks: ['Garden', 'Oak']
  })
  expect(await uses('wiki-backlinks', { title: 'Thorn' })).toMatchObject({ backlinks: ['Rose'] })
  expect(await uses('wiki-backlinks', { title: 'Rose', limit: 1 })).toMatchObject({
    total: 2,
    backlinks: ['Garden']
  })
})

test('001-20: wiki-toc is the tree of tags, three levels deep unless it is told otherwise', async () => {
  const { uses } = await reading({
    garden,
    ring: [
      { title: 'A', tags: 'B', text: '' },
      { title: 'B', tags: 'A', text: '' }
    ]
  })
  expect(await uses('wiki-toc', { wiki: 'garden', title: 'Garden' })).toMatchObject({
    contents: [
      {
        title: 'Plants',
        children: [{ title: 'Oak', children: [{ title: 'Leaf', more: true }] }, { title: 'Rose' }]
      }
    ]
  })
  expect(await uses('wiki-toc', { wiki: 'garden', depth: 1 })).toMatchObject({
    contents: [
      { title: 'Garden', more: true },
      { title: 'slow things', more: true }
    ]
  })
  expect(await uses('wiki-toc', { wiki: 'ring', title: 'A', depth: 10 })).toEqual({
    wiki: 'ring',
    contents: [{ title: 'B', children: [{ title: 'A' }] }]
  })
})

test('001-20: wiki-get-errors names each kind of error, and nothing of what is well', async () => {
  const { uses } = await reading({
    notes: [
      {
        title: 'Fine',
        text: '\\define good() yes\n<<good>> <$list filter="[tag[x]]"/> [[Fine]] {{Fine!!title}}'
      },
      { title: 'Link', text: '[[Nowhere]]' },
      { title: 'Macro', text: '<<nosuchmacro>>' },
      { title: 'Transclusion', text: '{{Missing}}' },
      { title: 'Widget', text: '<$nosuchwidget/>' },
      { title: 'Filter', text: '<$list filter="[unclosed"/>' },
      { title: 'Loop', text: '{{Loop}}' },
      { title: 'Script', type: 'application/javascript', text: '<<nosuchmacro>>' }
    ]
  })
  const found = await errorsOf(uses)
  expect(found.total).toBe(7)
  expect(found.errors.map(({ title, kind }) => `${title}: ${kind}`)).toEqual([
    'Filter: filter-error',
    'Link: missing-link',
    'Loop: recursive-transclusion',
    'Macro: undefined-macro',
    'Transclusion: missing-transclusion',
    'Widget: undefined-widget'
  ])
  expect(await uses('wiki-get-errors', { title: 'Link' })).toMatchObject({
    checked: 1,
    errors: [{ detail: '[[Nowhere]]' }]
  })
})

test('001-20: with several wikis one is named; an unknown one is told the names there are, and no other workspace’s', async () => {
  const { uses, as, sql } = await reading({ garden, kitchen: [] })
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret-of-other')
    on conflict do nothing`
  await createWiki(as('Other', 'other'), { name: 'theirs' })
  expect(await uses('wiki-recent')).toContain('garden, kitchen')
  for (const wiki of ['theirs', 'attic'])
    expect(await uses('wiki-recent', { wiki })).toMatch(new RegExp(`"${wiki}".*garden, kitchen`))
  expect(await uses('wiki-recent', { wiki: 'kitchen' })).toMatchObject({ total: 0 })
})

test('001-20: an agent whose config names wikis reads no others', async () => {
  const { uses } = await reading({ garden, secrets: [{ title: 'S', text: 'hush' }] }, ['garden'])
  expect(await uses('wiki-recent')).toMatchObject({ wiki: 'garden' })
  expect(await uses('wiki-search', { wiki: 'secrets', query: 'hush' })).toMatch(/"secrets".*garden/)
})

const slow =
  '<$let re="^(a+)+$"><$list filter="[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]regexp<re>]"/></$let>'

test('001-20: an evil wiki is answered about too, this process is not held up, and the next question has its answer', async () => {
  const { uses } = await reading({
    evil: [
      { title: 'Calls itself', text: '\\define r() <<r>><<r>><<r>>\n<<r>>' },
      { title: 'Grows', text: `\\define g(x) <$macrocall $name=g x="$x$$x$"/>\n<<g aa>>` },
      { title: 'Regexp', text: slow },
      {
        title: '$:/evil/startup',
        type: 'application/javascript',
        'module-type': 'startup',
        text: 'exports.startup = () => { require("fs").writeFileSync("/tmp/waystation-evil", "x"); process.exit(1) }'
      },
      {
        title: '$:/evil/widget',
        type: 'application/javascript',
        'module-type': 'widget',
        text: 'exports.evil = function () { require("fs").writeFileSync("/tmp/waystation-evil", "x") }'
      },
      { title: 'Uses it', text: '<$evil/>' },
      { title: 'Well', text: 'Fine. [[Uses it]]' }
    ]
  })
  let found: Awaited<ReturnType<typeof errorsOf>> = { errors: [], total: 0 }
  const longest = await longestStretchOf(async () => {
    found = await errorsOf(uses)
  })
  expect(found.total).toBe(5)
  const kinds = found.errors.map(({ title, kind }) => `${title}: ${kind}`)
  expect(kinds).toContain('Regexp: does-not-render')
  expect(kinds).toContain('Uses it: undefined-widget')
  expect(kinds.filter(kind => kind.startsWith('Well'))).toEqual([])
  expect(kinds.some(kind => kind.startsWith('Calls itself'))).toBe(true)
  expect(longest).toBeLessThan(500)
  expect(await uses('wiki-backlinks', { title: 'Uses it' })).toMatchObject({ backlinks: ['Well'] })
  const { existsSync } = await import('node:fs')
  expect(existsSync('/tmp/waystation-evil')).toBe(false)
}, 180_000)
