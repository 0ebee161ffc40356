import type { Tiddler, TiddlerPage } from '@waystation/protocol/wiki/wiki.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const key = { authorization: 'Bearer the-admin-key-of-every-test' }
const notes = { params: { wiki: 'notes' } }
type TiddlerFields = Record<string, string>

const expectOk = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  expect(body, String(status)).not.toHaveProperty('error')
  return body
}

/** Creates a server with the wiki `notes` that has these tiddlers. */
async function startServerWithNotes(tiddlers: TiddlerFields[] = []) {
  const server = await startTestServer()
  expect((await callEndpoint(wikiOperations.create, { body: { name: 'notes' } })).status).toBe(201)
  const imports = (raw: string, file?: string) =>
    callEndpoint(wikiOperations.import, { ...notes, raw, query: file === undefined ? {} : { file } })
  if (tiddlers.length > 0) expect((await imports(JSON.stringify(tiddlers))).status).toBe(200)
  const exported = async (format: string) =>
    (await requestEndpoint(wikiOperations.export, { ...notes, query: { format }, headers: key })).text()
  const read = async (title: string) =>
    (await callEndpoint(wikiOperations.read, { ...notes, query: { title } })).body as {
      tiddler: Tiddler
      html: string | null
      problem?: string
    }
  const list = async (query: TiddlerFields = {}) =>
    expectOk(await callEndpoint(wikiOperations.tiddlers, { ...notes, query })) as unknown as TiddlerPage
  return { ...server, imports, exported, read, list }
}

const byTitle = (tiddlers: TiddlerFields[]) =>
  tiddlers.toSorted((a, b) => ((a.title ?? '') < (b.title ?? '') ? -1 : 1))

/** Formats a list of tags as TiddlyWiki does: tags with spaces are in double brackets. */
const tagList = (tags: string[]) => tags.map(tag => (/\s/.test(tag) ? `[[${tag}]]` : tag)).join(' ')

const letters = 'ab é𝒳"<&>\'[]{}|\\$:/%-_.字'
const textOfLength = (min: number, max: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: min, maxLength: max })
    .map(chars => chars.join('').trim())
    .filter(text => text.length >= min)
const tag = textOfLength(1, 12).filter(
  text => !/\]\]|^\[\[/.test(text) && !(/\s/.test(text) && /\]$/.test(text))
)
const time = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().replace(/\D/g, ''))
const tiddler = fc.record(
  {
    title: textOfLength(1, 30),
    text: fc.string({ unit: 'grapheme', maxLength: 200 }).map(text => text.replaceAll('\0', '')),
    type: fc.constantFrom('text/vnd.tiddlywiki', 'text/plain', 'application/json'),
    tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 4 }).map(tagList),
    created: time,
    modified: time,
    caption: textOfLength(1, 20),
    'my-field': textOfLength(1, 20)
  },
  { requiredKeys: ['title', 'text'] }
)
const wikiArbitrary = fc.uniqueArray(tiddler, { selector: ({ title }) => title, minLength: 1, maxLength: 8 })

test('001-20: a wiki that is exported as JSON or as a complete TiddlyWiki and imported again stays the same', async () => {
  const { imports, exported, list } = await startServerWithNotes()
  await fc.assert(
    fc.asyncProperty(wikiArbitrary, fc.constantFrom('json', 'html'), async (tiddlers, format) => {
      await callEndpoint(wikiOperations.delete, notes)
      await callEndpoint(wikiOperations.create, { body: { name: 'notes' } })
      const generated = tiddlers as TiddlerFields[]
      expect((await imports(JSON.stringify(generated), 'a.json')).body).toMatchObject({
        imported: generated.length,
        skippedCount: 0
      })
      const first = JSON.parse(await exported('json')) as TiddlerFields[]
      expect(byTitle(first)).toEqual(byTitle(generated))
      const file = await exported(format)
      await callEndpoint(wikiOperations.delete, notes)
      await callEndpoint(wikiOperations.create, { body: { name: 'notes' } })
      expect((await imports(file, `a.${format}`)).status).toBe(200)
      expect(byTitle(JSON.parse(await exported('json')) as TiddlerFields[])).toEqual(byTitle(generated))
      const visibleTiddlers = generated.filter(({ title }) => !title?.startsWith('$:/'))
      expect((await list()).total, 'the list leaves system tiddlers out').toBe(visibleTiddlers.length)
    }),
    { numRuns: 25 }
  )
}, 120_000)

test('001-20: a .tid file is one tiddler, named by its title or by the file', async () => {
  const { imports, read } = await startServerWithNotes()
  await imports('title: Tea\ntags: drinks [[hot things]]\ncaption: A cup\n\n! Tea\nIt is hot.', 'x.tid')
  const { tiddler, html } = await read('Tea')
  expect(tiddler).toMatchObject({
    tags: ['drinks', 'hot things'],
    fields: { caption: 'A cup' },
    text: '! Tea\nIt is hot.'
  })
  expect(html).toContain('<h3>Tea</h3><p>It is hot.</p>')
  await imports('tags: drinks\n\nBlack.', 'Coffee.tid')
  expect((await read('Coffee')).tiddler.text).toBe('Black.')
})

test('001-20: importing a complete TiddlyWiki imports its tiddlers, without TiddlyWiki’s own', async () => {
  const { imports, exported, list } = await startServerWithNotes([{ title: 'Home', text: 'Hello' }])
  const html = await exported('html')
  expect(html).toMatch(/^<!doctype html>/i)
  expect(html).toContain('$:/core')
  await callEndpoint(wikiOperations.create, { body: { name: 'copy' } })
  const copied = await callEndpoint(wikiOperations.import, {
    params: { wiki: 'copy' },
    raw: html,
    query: { file: 'a.html' }
  })
  expect(copied.body).toMatchObject({ imported: 1 })
  expect((copied.body.skipped as { title: string }[]).map(({ title }) => title)).toContain('$:/core')
  expect((await list()).tiddlers.map(({ title }) => title)).toEqual(['Home'])
  for (const [raw, file] of [
    ['<!doctype html><p>no wiki</p>', 'a.html'],
    ['{not json', 'a.json'],
    ['x', 'a.png']
  ] as const)
    expect((await imports(raw, file)).status, file).toBe(422)
})

test('001-20: a wiki can be listed, searched by text, filtered by tag and time, and read', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\D/g, '')
  const { list, read } = await startServerWithNotes([
    {
      title: 'Green tea',
      text: 'See [[Kettle]] and [[Nothing]].',
      tags: 'tea [[hot drinks]]',
      modified: daysAgo(1)
    },
    { title: 'Kettle', text: '100%_ steel', tags: 'things', modified: daysAgo(3) },
    { title: 'Old', text: 'tea', modified: daysAgo(400) },
    { title: '$:/hidden', text: 'tea' }
  ])
  const titles = async (query: TiddlerFields) => (await list(query)).tiddlers.map(({ title }) => title)
  expect(await titles({})).toEqual(['Green tea', 'Kettle', 'Old'])
  expect(await titles({ order: 'modified', limit: '2' })).toEqual(['Green tea', 'Kettle'])
  expect(await list({ limit: '2' })).toMatchObject({ total: 3, nextOffset: 2 })
  expect(await list({ limit: '2', offset: '2' })).toMatchObject({ total: 3, nextOffset: null })
  expect(await titles({ search: 'TEA' })).toEqual(['Green tea', 'Old'])
  expect(await titles({ search: '100%_' })).toEqual(['Kettle'])
  expect(await titles({ search: 'tea kettle' })).toEqual(['Green tea'])
  expect(await titles({ tag: 'hot drinks' })).toEqual(['Green tea'])
  expect(await titles({ order: 'modified', days: '7' })).toEqual(['Green tea', 'Kettle'])
  expect((await callEndpoint(wikiOperations.get, notes)).body).toMatchObject({
    tiddlers: 3,
    tags: [
      { tag: 'hot drinks', count: 1 },
      { tag: 'tea', count: 1 },
      { tag: 'things', count: 1 }
    ]
  })
  const { html } = await read('Green tea')
  expect(html).toContain('<a href="/wikis/notes?tiddler=Kettle" data-tiddler="Kettle">Kettle</a>')
  expect(html).toContain('data-tiddler="Nothing" data-missing')
  expect((await callEndpoint(wikiOperations.read, { ...notes, query: { title: 'None' } })).status).toBe(404)
})

test('001-20: names, sizes and numbers have limits, and a request above them changes nothing', async () => {
  const { imports, list } = await startServerWithNotes()
  for (const name of ['Notes', 'a b', '', 'ä', 'x'.repeat(65)])
    expect((await callEndpoint(wikiOperations.create, { body: { name } })).status, name).toBe(422)
  expect((await callEndpoint(wikiOperations.create, { body: { name: 'notes' } })).status).toBe(409)
  const largeImport = await imports(
    JSON.stringify([
      { title: 'large', text: 'x'.repeat(1024 * 1024) },
      { title: 'y'.repeat(501), text: '' },
      { title: 'fits', text: 'x' }
    ])
  )
  expect(largeImport.body).toMatchObject({ imported: 1, skippedCount: 2 })
  const tooManyTiddlers = Array.from({ length: 20_001 }, (_, n) => ({ title: `t${n}`, text: '' }))
  expect(await imports(JSON.stringify(tooManyTiddlers))).toMatchObject({
    status: 413,
    body: { code: 'TOO_LARGE' }
  })
  expect((await imports(JSON.stringify(tooManyTiddlers.slice(0, 20_000)))).status).toBe(413)
  expect((await list()).total).toBe(1)
  expect((await imports('x'.repeat(20 * 1024 * 1024 + 1))).status).toBe(413)
})

test('001-20: viewers read, editors write, and another workspace finds nothing', async () => {
  const server = await startServerWithNotes([{ title: 'Home', text: 'Hello' }])
  const as = async (role: 'viewer' | 'editor') => (await createKey(server.ctx, { name: role, role })).secret
  const [viewer, editor] = [await as('viewer'), await as('editor')]
  const other = server.actAs('Other', 'other')
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret-of-other')
    on conflict do nothing`
  const stranger = (await createKey(other, { name: 'stranger', role: 'owner' })).secret
  const reads: [typeof wikiOperations.get | typeof wikiOperations.read, EndpointCall][] = [
    [wikiOperations.get, notes],
    [wikiOperations.read as never, { ...notes, query: { title: 'Home' } }],
    [wikiOperations.tiddlers as never, notes]
  ]
  for (const [operation, endpointCall] of reads) {
    expect((await callEndpoint(operation, endpointCall, viewer)).status, operation.id).toBe(200)
    expect((await callEndpoint(operation, endpointCall, stranger)).status, operation.id).toBe(404)
  }
  const file = { ...notes, raw: '[{"title": "Home", "text": "Mine"}]' }
  expect((await callEndpoint(wikiOperations.import, file, viewer)).status).toBe(403)
  expect((await callEndpoint(wikiOperations.import, file, stranger)).status).toBe(404)
  expect((await callEndpoint(wikiOperations.delete, notes, viewer)).status).toBe(403)
  expect((await callEndpoint(wikiOperations.delete, notes, stranger)).status).toBe(404)
  expect((await callEndpoint(wikiOperations.create, { body: { name: 'notes' } }, stranger)).status).toBe(201)
  expect((await callEndpoint(wikiOperations.import, file, stranger)).status).toBe(200)
  expect((await server.read('Home')).tiddler.text).toBe('Hello')
  expect((await callEndpoint(wikiOperations.import, file, editor)).status).toBe(200)
  expect((await server.read('Home')).tiddler.text).toBe('Mine')
  expect((await server.read('Home')).html).toContain('Mine')
  expect((await callEndpoint(wikiOperations.delete, notes, editor)).status).toBe(200)
  expect((await callEndpoint(wikiOperations.get, notes, viewer)).status).toBe(404)
})

test('001-21: wikitext in a session is rendered and sanitized, and cannot read a wiki', async () => {
  const { saveAgent, startSession } = await startServerWithNotes([{ title: 'Secret', text: 'the treasure' }])
  await saveAgent({ chat: { tools: [] } })
  const { id: sessionId } = await startSession('test')
  const rendered = async (text: string) =>
    (await callEndpoint(wikiOperations.render, { params: { sessionId }, body: { text } })).body
  expect(await rendered("! Tea\n* ''hot''\n\n|a|b|")).toMatchObject({
    html: expect.stringContaining('<h2>Tea</h2><ul><li><strong>hot</strong></li></ul><table>')
  })
  expect(
    JSON.stringify(await rendered('{{Secret}} {{{ [all[tiddlers]get[text]] }}} <<list-links "[all[]]">>'))
  ).not.toContain('treasure')
  const sanitizedHtml = await rendered(
    '<script>alert(1)</script><a href="javascript:alert(1)">x</a><img src=x onerror=alert(1)>[img[https://evil.example/x.png]]'
  )
  expect(String(sanitizedHtml.html)).not.toMatch(/script|onerror|<img/)
  expect(await rendered('\\define r() <<r>>\n<<r>>')).toMatchObject({
    html: null,
    problem: expect.any(String)
  })
  const slowText =
    '<$let re="^(a+)+$"><$list filter="[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]regexp<re>]"/></$let>'
  expect(await rendered(slowText)).toMatchObject({ html: null, problem: expect.any(String) })
  expect(await rendered('//still here//')).toMatchObject({
    html: expect.stringContaining('<em>still here</em>')
  })
})
