import type { Models, ModelTest } from '@waystation/protocol/workspace/models.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { modelOperations } from '#lib/http/operations/models.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { list, save, remove, test: testOf } = modelOperations
const named = (name: string) => ({ params: { name } })
const models = async (secret?: string) => (await callEndpoint(list, {}, secret)).body as Models
const provider = async (name: string, secret?: string) =>
  (await models(secret)).providers.find(provider => provider.name === name)
const allowLoopback = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }

test('without keys, there is only the demo model, and each kind of provider names its fields', async () => {
  await startTestServer()
  const { defaultModel, providers, kinds } = await models()
  expect(defaultModel).toBe('demo/demo')
  expect(providers).toEqual([
    { name: 'demo', kind: 'demo', title: 'Demo model', source: 'server', models: ['demo/demo'] }
  ])
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['openai', 'anthropic', 'google', 'vertex', 'bedrock', 'azure', 'mistral', 'groq'])
  )
  expect(kinds.filter(({ named }) => named).map(({ kind }) => kind)).toEqual(['openai-compatible'])
  expect(kinds.find(({ kind }) => kind === 'anthropic')?.fields[0]).toMatchObject({
    secret: true,
    required: true
  })
})

test('the keys of the environment configure providers for all workspaces, and no response contains them', async () => {
  await startTestServer({ settings: { ANTHROPIC_API_KEY: 'key-of-server', AWS_REGION: 'us-east-1' } })
  const listed = await models()
  expect(listed.defaultModel).toMatch(/^anthropic\/claude-/)
  expect(listed.providers.map(({ name, source }) => [name, source])).toEqual([
    ['anthropic', 'server'],
    ['demo', 'server']
  ])
  expect(JSON.stringify(listed)).not.toContain('key-of-server')
})

test('a key is stored encrypted, never returned, and audited', async () => {
  const { sql, ctx } = await startTestServer()
  const body = { values: { apiKey: ' key-of-ours ' } }
  expect(await callEndpoint(save, { ...named('mistral'), body })).toEqual({
    status: 200,
    body: { name: 'mistral' }
  })
  expect(await provider('mistral')).toMatchObject({ source: 'workspace', values: {}, secrets: ['apiKey'] })
  expect(JSON.stringify(await models())).not.toContain('key-of-ours')
  const [row] = await sql<{ row: string }[]>`select model_providers::text as row from model_providers`
  expect(row?.row).not.toContain('key-of-ours')
  expect(await callEndpoint(remove, named('mistral'))).toMatchObject({ status: 200 })
  expect(await callEndpoint(remove, named('mistral'))).toMatchObject({ status: 404 })
  const { entries } = await listAudit(ctx, {})
  expect(entries.map(({ action, toolName }) => [action, toolName])).toEqual([
    ['model.removed', 'mistral'],
    ['model.saved', 'mistral']
  ])
})

test('editors see the models, but neither the addresses nor the names of saved secrets', async () => {
  const { ctx } = await startTestServer()
  const values = { baseUrl: 'https://models.example/v1?token=t', apiKey: 'k' }
  await callEndpoint(save, { ...named('ours'), body: { kind: 'openai-compatible', values } })
  const { secret } = await createKey(ctx, { name: 'Eve', role: 'editor' })
  expect(await provider('ours', secret)).toEqual({
    name: 'ours',
    kind: 'openai-compatible',
    title: 'OpenAI-compatible server',
    source: 'workspace',
    models: []
  })
})

test('a saved key is kept if it is not entered again, but not for another address', async () => {
  const { sql } = await startTestServer()
  const azure = (values: Record<string, string>) =>
    callEndpoint(save, { ...named('azure'), body: { values } })
  expect(await azure({ apiKey: 'k', resourceName: 'ours' })).toMatchObject({ status: 200 })
  expect(await azure({ resourceName: 'ours' })).toMatchObject({ status: 200 })
  expect(await azure({ baseUrl: 'https://evil.example' })).toMatchObject({ status: 422 })
  expect(await provider('azure')).toMatchObject({ values: { resourceName: 'ours' }, secrets: ['apiKey'] })
  expect(await sql`select from model_providers`).toHaveLength(1)
})

test('invalid providers are refused with a reason', async () => {
  await startTestServer()
  const service = JSON.stringify({ type: 'external_account', token_url: 'http://169.254.169.254' })
  for (const [name, body] of [
    ['mistral', { values: {} }],
    ['mistral', { values: { apiKey: ' ' } }],
    ['mistral', { values: { apiKey: 'k', unknown: 'x' } }],
    ['mistral', { values: { apiKey: 'k', baseUrl: 'file:///etc/passwd' } }],
    ['ours', { values: { baseUrl: 'https://a.example' } }],
    ['ours', { kind: 'openai-compatible', values: {} }],
    ['anthropic', { kind: 'openai-compatible', values: { baseUrl: 'https://a.example' } }],
    ['ours', { kind: 'mistral', values: { apiKey: 'k' } }],
    ['demo', { values: {} }],
    ['Ours', { kind: 'openai-compatible', values: { baseUrl: 'https://a.example' } }],
    ['bedrock', { values: { region: 'us-east-1', accessKeyId: 'only this' } }],
    ['bedrock', { values: { region: 'evil.example/', apiKey: 'k' } }],
    ['vertex', { values: { project: 'p', location: 'us-central1' } }],
    ['vertex', { values: { project: 'p', location: 'us-central1', credentials: service } }]
  ] as const)
    expect(await callEndpoint(save, { ...named(name), body }), JSON.stringify([name, body])).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT' }
    })
})

test('a workspace can have 50 providers', async () => {
  const { sql } = await startTestServer()
  await sql`
    insert into model_providers (workspace_id, name, kind, values, sealed, saved_by, saved_at)
    select 'default', 'server-' || number, 'ollama', '{}', 'v1.x.y.z', 'Ann', now() from generate_series(1, 50) number`
  const body = { kind: 'openai-compatible', values: { baseUrl: 'https://a.example' } }
  expect(await callEndpoint(save, { ...named('one-more'), body })).toMatchObject({ status: 422 })
  expect(await callEndpoint(save, { ...named('server-7'), body })).toMatchObject({ status: 200 })
})

test('the next step uses a new key, in all processes and without a restart', async () => {
  await using server = await startOpenAIServer({ script: () => replyText('Hello') })
  const { saveAgent, startSession, startSecondServer } = await startTestServer({ settings: allowLoopback })
  await startSecondServer(allowLoopback)
  await saveAgent({ chat: { model: 'ours/llama' } })
  const session = await startSession('test')
  expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'failed', error: { code: 'NOT_CONFIGURED' } })
  for (const apiKey of ['first', 'second']) {
    const body = { kind: 'openai-compatible', values: { baseUrl: server.url, apiKey } }
    await callEndpoint(save, { ...named('ours'), body })
    expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'done' })
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(server.requests.at(-1)?.body.model).toBe('llama')
  }
  await callEndpoint(remove, named('ours'))
  expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'failed', error: { code: 'NOT_CONFIGURED' } })
})

test('the egress rules hold for the address of a workspace, and the server’s key is not sent there', async () => {
  await using server = await startOpenAIServer({ script: () => replyText('Hello') })
  const settings = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'key-of-server' }
  const { saveAgent, startSession } = await startTestServer({ settings })
  await saveAgent({ chat: { model: 'openai/llama' } })
  const session = await startSession('test')
  expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'done' })
  await callEndpoint(save, { ...named('openai'), body: { values: { baseUrl: server.url } } })
  expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'failed', error: { code: 'NOT_CONFIGURED' } })
  expect(server.requests).toHaveLength(1)
  await startTestServer({ settings: { ...settings, ...allowLoopback } })
  await callEndpoint(save, { ...named('openai'), body: { values: { baseUrl: server.url } } })
  expect((await callEndpoint(testOf, { body: { model: 'openai/llama' } })).body).toMatchObject({ ok: true })
  expect(server.requests).toHaveLength(2)
  expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
})

test('another workspace has neither the provider nor its key', async () => {
  const { ctx, actAs } = await startTestServer()
  await callEndpoint(save, { ...named('mistral'), body: { values: { apiKey: 'k' } } })
  const names = async (at: typeof ctx) => (await at.ports.modelsOf(at)).providers.map(({ name }) => name)
  expect(await names(ctx)).toContain('mistral')
  expect(await names(actAs('Eve', 'other'))).not.toContain('mistral')
})

test('a provider whose key cannot be decrypted says that it has none, and the server’s key is not used', async () => {
  allowErrors(/cannot be decrypted/)
  const { sql } = await startTestServer({ settings: { ANTHROPIC_API_KEY: 'key-of-server' } })
  await sql`
    insert into model_providers (workspace_id, name, kind, values, sealed, saved_by, saved_at)
    values ('default', 'anthropic', 'anthropic', '{"baseUrl":"https://a.example"}', 'v1.x.y.z', 'Ann', now())`
  const { body } = await callEndpoint(testOf, { body: { model: 'anthropic/claude' } })
  expect(body).toMatchObject({ ok: false, code: 'NOT_CONFIGURED' })
})

test('the default model of a workspace replaces the server’s, from the next step on', async () => {
  await using server = await startOpenAIServer({ script: () => replyText('Hello') })
  const { saveAgent, startSession } = await startTestServer({
    settings: { OPENAI_BASE_URL: server.url, WAYSTATION_DEFAULT_MODEL: 'first' }
  })
  await saveAgent({ chat: { model: 'default' } })
  const session = await startSession('test')
  await session.runTurn('Hi')
  for (const defaultModel of ['openai/second', null]) {
    const { body } = await callEndpoint(workspaceOperations.update, { body: { defaultModel } })
    expect(body).toMatchObject({ defaultModel })
    await session.runTurn('Hi')
  }
  expect(server.requests.map(({ body }) => body.model)).toEqual(['first', 'second', 'first'])
})

test('a test asks the model for one word, and says why it failed', async () => {
  await using server = await startOpenAIServer({ script: [replyText(' ready '), replyError(401)] })
  await startTestServer({ settings: { OPENAI_BASE_URL: server.url } })
  const ask = async (model: string) => (await callEndpoint(testOf, { body: { model } })).body as ModelTest
  expect(await ask('default')).toMatchObject({ model: 'openai/gpt-6.1-sol', ok: true, text: 'ready' })
  expect(await ask('openai/x')).toMatchObject({ ok: false, code: 'BAD_KEY' })
  expect(await ask('none/x')).toMatchObject({ ok: false, code: 'NOT_CONFIGURED' })
  expect(server.requests).toHaveLength(2)
})

test('errors of a model server name it, but not its address, because end users see them', async () => {
  await startTestServer()
  const body = { kind: 'openai-compatible', values: { baseUrl: 'http://10.1.2.3:8000/v1' } }
  await callEndpoint(save, { ...named('ours'), body })
  const { body: result } = await callEndpoint(testOf, { body: { model: 'ours/llama' } })
  expect(result).toMatchObject({ ok: false, code: 'NOT_CONFIGURED', text: expect.stringContaining('ours') })
  expect(JSON.stringify(result)).not.toContain('10.1.2.3')
})

test('a server that redirects is not followed, so that its key stays where it was entered for', async () => {
  const seen: string[] = []
  await using other = await startOpenAIServer({ script: () => replyText('Hello') })
  const redirecting = await startExternalSystem((response, { headers }) => {
    seen.push(String(headers.authorization))
    response.writeHead(307, { location: `${other.url}/chat/completions` }).end()
  })
  await startTestServer({ settings: allowLoopback })
  const body = { kind: 'openai-compatible', values: { baseUrl: `${redirecting.url}/v1`, apiKey: 'k' } }
  await callEndpoint(save, { ...named('ours'), body })
  const { body: result } = await callEndpoint(testOf, { body: { model: 'ours/llama' } })
  expect(result).toMatchObject({
    ok: false,
    code: 'NOT_CONFIGURED',
    text: expect.stringContaining('redirects')
  })
  expect(seen).toEqual(['Bearer k'])
  expect(other.requests).toEqual([])
})

test('a provider of a kind that this version does not have is left out, and the others work', async () => {
  allowErrors(/no such kind of model provider/)
  const { sql } = await startTestServer()
  await sql`
    insert into model_providers (workspace_id, name, kind, values, sealed, saved_by, saved_at)
    values ('default', 'future', 'future', '{}', 'v1.x.y.z', 'Ann', now())`
  await callEndpoint(save, { ...named('mistral'), body: { values: { apiKey: 'k' } } })
  expect((await models()).providers.map(({ name }) => name)).toEqual(['mistral', 'demo'])
})
