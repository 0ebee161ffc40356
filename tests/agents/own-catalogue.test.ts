import type { CatalogueEntry, CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import { expect, test } from 'vitest'
import { lookupIn } from '#lib/agents/embeds/lookup.ts'
import { resolveEmbeds } from '#lib/agents/embeds/resolve.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type Body = Record<string, unknown>

const create = (body: Body, secret?: string) => callEndpoint(catalogueOperations.create, { body }, secret)
const update = (slug: string, body: Body, secret?: string) =>
  callEndpoint(catalogueOperations.update, { params: { slug }, body }, secret)
const archive = (slug: string) => callEndpoint(catalogueOperations.archive, { params: { slug } })
const read = (slug: string, query: Record<string, string> = {}, secret?: string) =>
  callEndpoint(catalogueOperations.get, { params: { slug }, query }, secret)
const list = async (query: Record<string, string> = {}, secret?: string) => {
  const { body } = await callEndpoint(catalogueOperations.list, { query }, secret)
  return (body as { entries: CatalogueItem[] }).entries.filter(({ own }) => own)
}

const skill = (text: string, more: Body = {}) => ({
  kind: 'skill',
  name: 'Greet',
  data: { parameters: { text } },
  ...more
})
const inputSchema = { type: 'object', properties: { order: { type: 'string' } } }
const tool = (url: string, more: Body = {}) => ({
  kind: 'tool',
  name: 'Order status',
  data: {
    parameters: {
      tool: { name: 'order_status', where: 'external', description: 'Look.', url, inputSchema, ...more }
    }
  }
})
const embed = (slug: string, version?: string, path = 'parameters') => ({
  '@ag.embed': {
    '@ag.references': { workflow: { slug, ...(version && { version }) } },
    '@ag.selector': { path }
  }
})
const helper = agentAt('helper')

test('002-17: an own entry has versions: an agent that names one keeps it, and another one follows the newest', async () => {
  const { ctx, startSession, model } = await startTestServer({ script: [replyText('1'), replyText('2')] })
  const { status, body } = await create({ slug: 'greet', ...skill('Say good day.') })
  expect({ status, ...body }).toMatchObject({ status: 201, version: 'v1', own: true, embeddable: true })
  await helper.create({ chat: { skills: [embed('greet', 'v1')] } })
  await agentAt('follower').create({
    chat: { skills: [embed('greet')], instructions: '@{{workflow.slug=greet, path:parameters.text}}' }
  })

  expect((await update('greet', { ...skill('Say good night.'), base: 'v1' })).body).toMatchObject({
    version: 'v2',
    usedBy: [{ agentId: 'follower' }, { agentId: 'helper', version: 'v1' }]
  })
  for (const [agentId, text] of [
    ['helper', 'Say good day.'],
    ['follower', 'Say good night.']
  ] as const) {
    await (await startSession(agentId)).runTurn('hello')
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(text)
  }
  expect((await read('greet', { version: 'v1' })).body.data).toEqual({
    parameters: { text: 'Say good day.' }
  })
  expect((await read('greet', { version: 'v3' })).status).toBe(404)
  const resolve = (workflow: object) =>
    resolveEmbeds({ '@ag.embed': { '@ag.references': { workflow } } }, { lookup: lookupIn(ctx) })
  expect(await resolve({ id: 'workspace:skill:greet:v1' })).toEqual({ parameters: { text: 'Say good day.' } })
  for (const unknown of [
    { slug: 'greet', version: 'v3' },
    { slug: 'greet', version: 1 },
    { id: 'workspace:tool:greet:v1' }
  ])
    await expect(resolve(unknown)).rejects.toMatchObject({ kind: 'UnknownReference' })
})

test('002-17: an archived entry is no longer offered, its agents keep it, and a new version restores it', async () => {
  const { startSession, model } = await startTestServer({ script: [replyText('1')] })
  await create({ slug: 'greet', ...skill('Say good day.') })
  await helper.create({ chat: { skills: [embed('greet', 'v1')] } })
  for (const _ of [1, 2])
    expect(await archive('greet')).toMatchObject({ status: 200, body: { archived: true } })
  expect(await list()).toEqual([])
  expect(await list({ archived: 'true' })).toMatchObject([
    { slug: 'greet', archived: true, usedBy: [{ agentId: 'helper' }] }
  ])
  await (await startSession('helper')).runTurn('hello')
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('Say good day.')
  // The agent can also be published again.
  expect((await helper.put({ chat: { instructions: 'New.', skills: [embed('greet', 'v1')] } })).status).toBe(
    200
  )
  expect((await create({ slug: 'greet', ...skill('Again.') })).body.code).toBe('CONFLICT')
  expect((await update('greet', skill('Again.'))).body).not.toHaveProperty('archived')
  expect(await list()).toMatchObject([{ slug: 'greet', version: 'v2' }])
})

test('an own tool is called like any external tool of the agent that embeds it', async () => {
  await startTestServer()
  expect((await create({ slug: 'order-status', ...tool('https://shop.example/a') })).body).toMatchObject({
    kind: 'tool',
    toolName: 'order_status',
    where: 'external'
  })
  const { status } = await helper.create({
    chat: { tools: [embed('order-status', 'v1', 'parameters.tool')] }
  })
  expect(status).toBe(201)
  const wrong = await helper.put({ chat: { tools: [embed('order-status', 'v1')] } })
  expect(wrong.body).toMatchObject({ code: 'INVALID_INPUT', fields: { 'chat.tools.0': expect.any(String) } })
})

test.each([
  ['a slug with capitals', { slug: 'Greet', ...skill('a') }, 'slug'],
  ['a reserved slug', { slug: 'new', ...skill('a') }, 'slug'],
  ['another kind', { slug: 'a', ...skill('a'), kind: 'overlay' }, 'kind'],
  ['an empty text', { slug: 'a', ...skill(' ') }, 'data.parameters.text'],
  [
    'a missing entry in the text',
    { slug: 'a', ...skill('See @{{workflow.slug=none, path:parameters.text}}.') },
    'data.parameters.text'
  ],
  [
    'an entry that refers to itself',
    { slug: 'a', ...skill('See @{{workflow.slug=a, path:parameters.text}}.') },
    'data.parameters.text'
  ],
  [
    'a text that becomes an object',
    { slug: 'a', ...skill('@{{workflow.slug=__ag__edit_config, path:parameters}}') },
    'data.parameters.text'
  ],
  ['a tool without URL', { slug: 'a', ...tool('x') }, 'data.parameters.tool.url'],
  [
    'an unusable schema',
    { slug: 'a', ...tool('https://a.example', { inputSchema: { type: 'object', required: 1 } }) },
    'data.parameters.tool.inputSchema'
  ],
  [
    'an answer policy',
    { slug: 'a', ...tool('https://a.example', { answer: { roles: ['viewer'] } }) },
    'data.parameters.tool.answer'
  ]
])('an entry with %s is rejected, and nothing is stored', async (_, body, field) => {
  await startTestServer()
  const { status, body: error } = await create(body)
  expect({ status, code: error.code }).toEqual({ status: 422, code: 'INVALID_INPUT' })
  expect(Object.keys(error.fields as object)).toEqual([field])
  expect(await list({ archived: 'true' })).toEqual([])
})

test('a slug in use, an older base and another kind are rejected', async () => {
  await startTestServer()
  await create({ slug: 'greet', ...skill('1') })
  for (const slug of ['greet', 'web-fetch'])
    expect(await create({ slug, ...skill('2') })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  await update('greet', skill('2'))
  expect(await update('greet', { ...skill('3'), base: 'v1' })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
  expect((await update('greet', tool('https://a.example'))).body.fields).toHaveProperty('kind')
  expect((await update('web-fetch', skill('2'))).status).toBe(404)
  const racers = await Promise.all([1, 2, 3].map(() => update('greet', { ...skill('4'), base: 'v2' })))
  expect(racers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('a new version that would make its agents circular is rejected', async () => {
  await startTestServer()
  await create({ slug: 'greet', ...skill('Hello.') })
  await helper.create({ chat: { instructions: '@{{workflow.slug=greet, path:parameters.text}}' } })
  const { body } = await update('greet', skill('As @{{agent.slug=helper, path:chat.instructions}} says.'))
  expect(body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { 'data.parameters.text': expect.stringContaining('circular') }
  })
})

test('a workspace has at most 200 entries, and archived ones are not counted', async () => {
  const { sql } = await startTestServer()
  await sql`
    insert into catalogue_entries (workspace_id, slug, version, kind, name, description, data, saved_by, saved_at)
    select 'default', 'entry-' || n, 1, 'skill', 'Entry', '', '{"parameters": {"text": "a"}}', 'test', now()
    from generate_series(1, 200) n`
  expect((await create({ slug: 'another', ...skill('a') })).body.code).toBe('INVALID_INPUT')
  await archive('entry-7')
  expect((await create({ slug: 'another', ...skill('a') })).status).toBe(201)
  expect((await update('entry-7', skill('b'))).body.code).toBe('INVALID_INPUT')
  expect((await update('entry-8', skill('b'))).status).toBe(200)
})

test('another workspace sees no own entries, and only owners and editors see the complete URL of one', async () => {
  const { ctx } = await startTestServer()
  const key = async (workspaceId: string, role: 'viewer' | 'owner') =>
    (await createKey(ctxFor({ kind: 'system', name: 'test', workspaceId }), { name: role, role })).secret
  await create({ slug: 'order-status', ...tool('https://shop.example/secret-path') })
  const viewer = await key('default', 'viewer')
  const seen = await read('order-status', {}, viewer)
  expect(JSON.stringify(seen.body)).toContain('https://shop.example/')
  expect(JSON.stringify(seen.body)).not.toContain('secret-path')
  expect((await create({ slug: 'mine', ...skill('a') }, viewer)).status).toBe(403)
  const { url } = ((seen.body as CatalogueEntry).data.parameters as { tool: { url: string } }).tool
  expect((await update('order-status', tool(url))).body.fields).toHaveProperty('data.parameters.tool.url')
  await ctx.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x') on conflict do nothing`
  const stranger = await key('other', 'owner')
  expect(await list({}, stranger)).toEqual([])
  expect((await read('order-status', {}, stranger)).status).toBe(404)
  expect((await update('order-status', skill('a'), stranger)).status).toBe(404)
})

test('the audit has an entry for each change of the catalog', async () => {
  await startTestServer()
  await create({ slug: 'greet', ...skill('1') })
  await update('greet', skill('2'))
  await archive('greet')
  const { body } = await callEndpoint(externalOperations.audit)
  const entries = body.entries as { action: string; toolName: string }[]
  expect(entries.map(({ action, toolName }) => [action, toolName])).toEqual([
    ['catalogue.archived', 'greet@v2'],
    ['catalogue.changed', 'greet@v2'],
    ['catalogue.created', 'greet@v1']
  ])
})

test('a built-in tool shows its input and the agents that use it', async () => {
  await startTestServer()
  await helper.create({ chat: { tools: [{ name: 'web-fetch' }] } })
  const { body } = await read('web-fetch')
  expect(body).toMatchObject({
    usedBy: expect.arrayContaining([{ agentId: 'helper', displayName: 'Helper' }]),
    data: {
      parameters: { tool: { inputSchema: { type: 'object', properties: { url: expect.anything() } } } }
    }
  })
})
