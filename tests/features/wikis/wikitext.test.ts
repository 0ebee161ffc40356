import type { BuiltInTool } from '@waystation/protocol/agent/agent.ts'
import type { RenderWikitext } from '@waystation/protocol/wiki/wiki.ts'
import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const tiddlersOf = (wiki: string) => [
  { title: 'Rose', text: `A rose of ${wiki}.`, caption: 'Red' },
  { title: 'Macros', text: `\\define hello() Hello from ${wiki}.`, tags: '$:/tags/Macro' }
]

/** Starts a server with the wikis `garden` and `secret`, and returns a function that renders in a session of an agent. */
async function startGardens(tools: BuiltInTool[]) {
  const server = await startTestServer()
  for (const name of ['garden', 'secret']) {
    await createWiki(server.ctx, { name })
    await importWiki(server.ctx, { wiki: name, file: 'a.json', text: JSON.stringify(tiddlersOf(name)) })
  }
  await server.saveAgent({ chat: { tools } })
  const { id: sessionId } = await server.startSession('test')
  const renders = (body: Omit<RenderWikitext, 'sessionId'>, secret?: string) =>
    callEndpoint(wikiOperations.render, { params: { sessionId }, body }, secret)
  return { ...server, sessionId, renders }
}

const text = '{{Rose}} <<hello>> [[Rose]] [[Nowhere]]'

test('001-21: wikitext is rendered in the only wiki that the agent can read, with its macros, and its links lead to pages', async () => {
  const { renders } = await startGardens([{ name: 'wiki-search', wikis: ['garden'] }, { name: 'wiki-write' }])
  const { body } = await renders({ text: `! Title\n\n${text}` })
  expect(body.html).toContain('<h2>Title</h2>')
  expect(body.html).toContain('A rose of garden.')
  expect(body.html).toContain('Hello from garden.')
  expect(body.html).toContain('<a href="/wikis/garden?tiddler=Rose" data-tiddler="Rose">Rose</a>')
  expect(body.html).toContain('data-tiddler="Nowhere" data-missing')
  expect((await renders({ text, wiki: 'garden' })).body.html).toContain('A rose of garden.')
  expect((await renders({ text: '{{!!caption}}', wiki: 'garden', title: 'Rose' })).body.html).toContain('Red')
  expect((await renders({ text, wiki: 'secret' })).body).toEqual({ html: null, problem: expect.any(String) })
})

test('001-21: an agent that can read several wikis names the one in which its wikitext is rendered', async () => {
  const { renders } = await startGardens([{ name: 'wiki-search' }])
  expect((await renders({ text })).body.html).not.toMatch(/of garden|of secret|<a/)
  expect((await renders({ text, wiki: 'secret' })).body.html).toContain('A rose of secret.')
})

test('001-21: without tools that read wikis, wikitext is rendered in none', async () => {
  const { renders } = await startGardens([{ name: 'wiki-delete' }])
  expect((await renders({ text })).body.html).not.toMatch(/of garden|of secret|<a/)
  expect((await renders({ text, wiki: 'garden' })).body.html).toBeNull()
})

test('001-21: a session token renders wikitext without any wiki, also if it names one', async () => {
  const { ctx, sessionId, renders } = await startGardens([{ name: 'wiki-toc', wikis: ['garden'] }])
  const { token } = await createToken(ctx, { sessionId, subject: 'eve', scopes: ['read'], ttlSeconds: 600 })
  for (const wiki of [undefined, 'garden', 'secret']) {
    const { body } = await renders({ text, wiki }, token)
    expect(body.html).not.toMatch(/of garden|of secret|<a/)
  }
})

test('001-21: wikitext that never ends in a wiki has a problem, and the wiki stays readable', async () => {
  const { renders } = await startGardens([{ name: 'wiki-search', wikis: ['garden'] }])
  expect((await renders({ text: '\\define r() <<r>>\n<<r>>' })).body).toMatchObject({ html: null })
  expect((await renders({ text })).body.html).toContain('A rose of garden.')
})
