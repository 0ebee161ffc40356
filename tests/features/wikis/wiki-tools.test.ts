import { notFound } from '@waystation/base/api-error.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { longestStretchOf } from '#tests/support/cpu-time.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const names = [
  'wiki-search',
  'wiki-backlinks',
  'wiki-toc',
  'wiki-recent',
  'wiki-list-tiddlers',
  'wiki-get-errors'
]
type TiddlerFields = Record<string, string>

/** Returns a session of an agent that has the wiki tools, and these wikis. */
async function sessionWithWikis(wikis: Record<string, TiddlerFields[]>, allowed?: string[]) {
  const server = await startTestServer()
  for (const [name, tiddlers] of Object.entries(wikis)) {
    await createWiki(server.ctx, { name })
    await importWiki(server.ctx, { wiki: name, file: 'a.json', text: JSON.stringify(tiddlers) })
  }
  const tools = names.map(name => ({ name, ...(allowed === undefined ? {} : { wikis: allowed }) }))
  await server.saveAgent({ chat: { tools } })
  const session = await server.startSession('test')
  /** Makes the agent use a tool, and returns the result of the tool, or the text of its error. */
  const uses = async (name: string, input: object = {}) => {
    await session.runTurn(`use ${name} ${JSON.stringify(input)}`)
    const call = (await session.get()).calls.at(-1) as Call
    expect(call.toolName).toBe(name)
    return (call.output ?? call.errorText) as never
  }
  return { ...server, session, uses }
}

type WikiErrors = { errors: { title: string; kind: string }[]; total: number }

/**
 * Returns all errors of a wiki. One call searches for a second, and the next call continues at its offset.
 */
async function errorsOf(
  uses: (name: string, input: object) => Promise<WikiErrors & { checked: number }>
): Promise<WikiErrors> {
  const errors: WikiErrors['errors'] = []
  for (let offset = 0; ; ) {
    const result = await uses('wiki-get-errors', { offset })
    errors.push(...result.errors)
    offset += result.checked
    if (offset >= result.total || result.checked === 0) return { errors, total: result.total }
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\D/g, '')
const gardenTiddlers: TiddlerFields[] = [
  { title: 'Garden', text: 'Everything that grows: [[Rose]] and [[Oak]].', modified: daysAgo(1) },
  { title: 'Plants', text: '', tags: 'Garden', modified: daysAgo(2) },
  { title: 'Rose', text: "! Rose\nIt ''pricks''. See [[Thorn]].", tags: 'Plants', modified: daysAgo(3) },
  { title: 'Oak', text: 'Old. Not a [[Rose]].', tags: 'Plants [[slow things]]', modified: daysAgo(50) },
  { title: 'Leaf', text: '', tags: 'Oak', modified: daysAgo(60) },
  { title: 'Vein', text: '', tags: 'Leaf', modified: daysAgo(70) }
]

test('001-20: wiki-search finds tiddlers by text, and reads one by its title', async () => {
  const { uses } = await sessionWithWikis({ garden: gardenTiddlers })
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

test('001-20: wiki-search needs words, and leaves the content of images out of its results', async () => {
  const picture = { title: 'rose.png', type: 'image/png', text: 'iVBORw0KGgo=', tags: 'Plants' }
  const { uses } = await sessionWithWikis({ garden: [picture] })
  expect(await uses('wiki-search', { query: 'rose' })).toMatchObject({
    tiddlers: [{ title: 'rose.png', text: '', cut: true }]
  })
  expect(await uses('wiki-search', { title: 'rose.png' })).toMatchObject({
    tiddlers: [{ text: picture.text }]
  })
  expect(await uses('wiki-search', { query: '  ' })).toEqual(expect.stringContaining('query'))
})

test('001-20: wiki-list-tiddlers lists titles page by page, and shows how to continue', async () => {
  const manyTiddlers = Array.from({ length: 120 }, (_, n) => ({
    title: `Note ${String(n).padStart(3, '0')}`,
    text: 'x'
  }))
  const { uses } = await sessionWithWikis({ many: manyTiddlers })
  const first = (await uses('wiki-list-tiddlers')) as { tiddlers: object[]; hint: string }
  expect(first.tiddlers).toHaveLength(50)
  expect(first.tiddlers[0]).toEqual({ title: 'Note 000', tags: [] })
  expect(first.hint).toContain('offset=50')
  const last = await uses('wiki-list-tiddlers', { offset: 100, limit: 200 })
  expect(last).toMatchObject({ total: 120 })
  expect(last).not.toHaveProperty('hint')
})

test('001-20: wiki-recent lists the last changes within a number of days', async () => {
  const { uses } = await sessionWithWikis({ garden: gardenTiddlers })
  expect(await uses('wiki-recent', { limit: 2 })).toMatchObject({
    total: 6,
    tiddlers: [{ title: 'Garden' }, { title: 'Plants' }]
  })
  expect(await uses('wiki-recent', { daysAgo: 10 })).toMatchObject({
    tiddlers: [{ title: 'Garden' }, { title: 'Plants' }, { title: 'Rose' }]
  })
})

test('001-20: wiki-backlinks lists the tiddlers that link to a title, even to a missing one', async () => {
  const { uses } = await sessionWithWikis({ garden: gardenTiddlers })
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

test('001-20: wiki-toc returns the tree of tags, three levels deep by default', async () => {
  const { uses } = await sessionWithWikis({
    garden: gardenTiddlers,
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

test('001-20: wiki-get-errors names each kind of error, and no valid tiddler', async () => {
  const { uses } = await sessionWithWikis({
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
  const report = await errorsOf(uses)
  expect(report.total).toBe(7)
  expect(report.errors.map(({ title, kind }) => `${title}: ${kind}`)).toEqual([
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

test('001-20: with several wikis a call must name one; the error for an unknown name lists only wikis of this workspace', async () => {
  const { uses, actAs, sql } = await sessionWithWikis({ garden: gardenTiddlers, kitchen: [] })
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret-of-other')
    on conflict do nothing`
  await createWiki(actAs('Other', 'other'), { name: 'theirs' })
  expect(await uses('wiki-recent')).toContain('garden, kitchen')
  for (const wiki of ['theirs', 'attic'])
    expect(await uses('wiki-recent', { wiki })).toMatch(new RegExp(`"${wiki}".*garden, kitchen`))
  expect(await uses('wiki-recent', { wiki: 'kitchen' })).toMatchObject({ total: 0 })
})

test('001-20: an agent whose config names wikis reads no others', async () => {
  const { uses } = await sessionWithWikis(
    { garden: gardenTiddlers, secrets: [{ title: 'S', text: 'hush' }] },
    ['garden']
  )
  expect(await uses('wiki-recent')).toMatchObject({ wiki: 'garden' })
  expect(await uses('wiki-search', { wiki: 'secrets', query: 'hush' })).toMatch(/"secrets".*garden/)
})

const slowText =
  '<$let re="^(a+)+$"><$list filter="[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]regexp<re>]"/></$let>'

test('001-20: a hostile wiki gets an answer without blocking the process, and the next question is answered', async () => {
  const { uses } = await sessionWithWikis({
    evil: [
      { title: 'Calls itself', text: '\\define r() <<r>><<r>><<r>>\n<<r>>' },
      { title: 'Grows', text: `\\define g(x) <$macrocall $name=g x="$x$$x$"/>\n<<g aa>>` },
      { title: 'Regexp', text: slowText },
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
  let report: Awaited<ReturnType<typeof errorsOf>> = { errors: [], total: 0 }
  const longestStretch = await longestStretchOf(async () => {
    report = await errorsOf(uses)
  })
  expect(report.total).toBe(5)
  const kinds = report.errors.map(({ title, kind }) => `${title}: ${kind}`)
  expect(kinds).toContain('Regexp: does-not-render')
  expect(kinds).toContain('Uses it: undefined-widget')
  expect(kinds.filter(kind => kind.startsWith('Well'))).toEqual([])
  expect(kinds.some(kind => kind.startsWith('Calls itself'))).toBe(true)
  expect(longestStretch).toBeLessThan(500)
  expect(await uses('wiki-backlinks', { title: 'Uses it' })).toMatchObject({ backlinks: ['Well'] })
  const { existsSync } = await import('node:fs')
  expect(existsSync('/tmp/waystation-evil')).toBe(false)
}, 180_000)
