import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { addedPluginOperations, hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { inspect, add, change, remove, review, accept } = addedPluginOperations
const { list, get, restart } = hostedPluginOperations
const allowed = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1,localhost' }
const twin = { plugin: 'twin' }

/** Calls an endpoint as an owner, expects success, and returns the response body. */
async function bodyOf<T>(...[operation, parts]: Parameters<typeof callEndpoint>) {
  const { status, body } = await callEndpoint(operation, parts)
  expect({ status, error: body.error }).toEqual({ status: operation.status ?? 200, error: undefined })
  return body as T
}

const addressOf = ({ port }: { port: number }) => ({ source: `remote://127.0.0.1:${port}` })

/** Reviews and adds the plugin at an address. */
async function addAt(at: {
  source: string
  settings?: object
  failClosed?: boolean
  ca?: string
  pin?: string
}) {
  const { failClosed: _, ...asked } = at
  const { digest } = await bodyOf<PluginReview>(inspect, { body: asked })
  return callEndpoint(add, { body: { ...at, digest } })
}

const stateOf = async (plugin = 'twin') =>
  (await bodyOf<PluginDetails>(get, { params: { plugin } })).state.kind

const serving = (plugin = 'twin') => expect.poll(() => stateOf(plugin), { timeout: 15_000 }).toBe('serving')

const hook = () => undefined

test('003-3: an owner reads what a plugin provides, adds it by its address, and an agent uses its tool', async () => {
  const plugin = await serveTestPlugin({
    hook,
    metadata: { lifecycle_events: 'TOOL_CALL', version: '1.1.0' }
  })
  const { startSession, sql, saveAgent } = await startTestServer({ settings: allowed })
  const found = await bodyOf<PluginReview>(inspect, { body: addressOf(plugin) })
  expect(found).toMatchObject({
    name: 'twin',
    ...addressOf(plugin),
    version: '1.1.0',
    about: { author: 'Us', description: 'Says things again.' },
    capabilities: ['tools', 'hooks'],
    events: ['TOOL_CALL'],
    tools: [{ name: 'echo', description: 'Says it again.' }],
    plainText: false
  })
  // Reading it does not run it, and gives it neither settings nor variables.
  expect(plugin.registered).toMatchObject([{ config: {}, envVars: {} }])
  expect((await bodyOf<{ plugins: [] }>(list)).plugins).toEqual([])

  const { status, body } = await callEndpoint(add, { body: { ...addressOf(plugin), digest: found.digest } })
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { name: 'twin', state: { kind: 'starting' }, added: { disabled: false, version: '1.1.0' } }
  })
  await serving()
  const parrot = await startSession(
    await saveAgent({ chat: { tools: [{ plugin: 'twin', approval: 'ask' }] } })
  )
  await parrot.runTurn('use echo {"text":"hello"}')
  const call = await parrot.waitForCall('echo')
  const done = parrot.waitForEnd()
  await parrot.answer(call, { approved: true })
  await done
  expect((await parrot.get()).calls.at(-1)).toMatchObject({ state: 'approved', output: { text: 'hello' } })

  expect(await bodyOf(change, { params: twin, body: { disabled: true } })).toMatchObject({
    state: { kind: 'stopped' },
    added: { disabled: true }
  })
  expect(await callEndpoint(restart, { params: twin })).toMatchObject({ status: 409 })
  expect(await bodyOf(remove, { params: twin })).toEqual(twin)
  expect((await bodyOf<{ plugins: [] }>(list)).plugins).toEqual([])
  expect(await callEndpoint(remove, { params: twin })).toMatchObject({ status: 404 })
  expect(await sql`select action, tool_name from audit where action like 'plugin.%' order by id`).toEqual(
    ['added', 'changed', 'removed'].map(verb => ({ action: `plugin.${verb}`, toolName: 'twin' }))
  )
})

test('003-3: the egress rules hold: a private address is neither read nor called', async () => {
  const plugin = await serveTestPlugin()
  await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '10.0.0.0/8' } })
  expect(await callEndpoint(inspect, { body: addressOf(plugin) })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT', fields: { source: expect.stringContaining('WAYSTATION_EGRESS_ALLOW') } }
  })
  const digest = '0'.repeat(64)
  expect(await callEndpoint(add, { body: { ...addressOf(plugin), digest } })).toMatchObject({ status: 422 })
  expect(plugin.calls).toEqual([])
})

test('003-3: an added plugin whose address is no longer allowed fails and receives no call', async () => {
  const plugin = await serveTestPlugin()
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '10.0.0.0/8' } })
  await server.sql`
    insert into workspace_plugins values ('default', 'twin', ${addressOf(plugin).source}, null, null, false, false,
      '1.0.0', '["tools"]', '', 'Ada', now(), now())`
  await expect.poll(() => stateOf(), { timeout: 15_000 }).toBe('failed')
  expect(plugin.calls).toEqual([])
})

test('003-3: a name that the workspace file or another added plugin uses is a conflict', async () => {
  const [first, second, third] = [
    await serveTestPlugin(),
    await serveTestPlugin({ name: 'other' }),
    await serveTestPlugin({ name: 'other' })
  ]
  const folder = workspaceFolder(`plugin "twin" { source = "${addressOf(first).source}" }`)
  await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  const conflict = { status: 409, body: { code: 'CONFLICT' } }
  expect(await addAt(addressOf(first))).toMatchObject(conflict)
  expect(await addAt(addressOf(second))).toMatchObject({ status: 201 })
  expect(await addAt(addressOf(third))).toMatchObject(conflict)
  await serving('other')
  // The plugins of the file come first.
  const { plugins } = await bodyOf<{ plugins: PluginDetails[] }>(list)
  expect(plugins.map(({ name, added }) => [name, added?.source])).toEqual([
    ['twin', undefined],
    ['other', addressOf(second).source]
  ])
})

test('003-3: invalid addresses, certificates and settings name their field, and only owners can add', async () => {
  const server = await startTestServer({ settings: allowed })
  const plugin = await serveTestPlugin({ fields: 'field "unit" {\n type = "number"\n }' })
  const wrong: [object, string][] = [
    [{}, 'source'],
    [{ source: 'local://weather' }, 'source'],
    [{ source: 'https://plugins.example:1' }, 'source'],
    [{ source: 'remote://plugins.example' }, 'source'],
    [{ source: `remote://${'a'.repeat(300)}:1` }, 'source'],
    [{ ...addressOf(plugin), pin: '00'.repeat(32) }, 'pin'],
    [{ source: 'remotes://plugins.example:1', pin: 'nonsense' }, 'pin'],
    [{ source: 'remotes://plugins.example:1', ca: 'nonsense' }, 'ca']
  ]
  for (const [body, field] of wrong)
    expect(await callEndpoint(inspect, { body }), field).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
    })
  expect(await addAt({ ...addressOf(plugin), settings: { unit: 'many' } })).toMatchObject({
    status: 422,
    body: { fields: { unit: expect.any(String) } }
  })
  expect(await callEndpoint(inspect, { body: { source: 'remote://127.0.0.1:1' } })).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' }
  })
  expect(await callEndpoint(change, { params: twin, body: {} })).toMatchObject({ status: 404 })
  const { secret } = await createKey(server.ctx, { name: 'e', role: 'editor' })
  for (const operation of Object.values(addedPluginOperations))
    expect(await callEndpoint(operation, { params: twin, body: {} }, secret)).toMatchObject({ status: 403 })
})

test('003-3: a plugin that changed after its review is not added', async () => {
  const plugin = await serveTestPlugin()
  await startTestServer({ settings: allowed })
  const digest = '0'.repeat(64)
  expect(await callEndpoint(add, { body: { ...addressOf(plugin), digest } })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
})

test('003-3: a new capability of an added plugin is not used until an owner accepts it', async () => {
  const first = await serveTestPlugin()
  const server = await startTestServer({ settings: allowed })
  await addAt({ ...addressOf(first), failClosed: true })
  await serving()
  const events: string[] = []
  const wider = await serveTestPlugin({
    hook: ({ type }) => void events.push(type),
    views: [{ name: 'board' }]
  })
  await bodyOf(change, { params: twin, body: addressOf(wider) })
  await expect
    .poll(() => bodyOf(get, { params: twin }), { timeout: 15_000 })
    .toMatchObject({ state: { kind: 'serving' }, withheld: ['hooks', 'views'], capabilities: ['tools'] })
  const session = await server.startSession()
  await session.runTurn('hello')
  expect(events).toEqual([])
  expect(wider.calls.map(({ method }) => method)).not.toContain('ListViews')

  const { digest, capabilities } = await bodyOf<PluginReview>(review, { params: twin })
  expect(capabilities).toEqual(['tools', 'hooks', 'views'])
  expect(await callEndpoint(accept, { params: twin, body: { digest: '0'.repeat(64) } })).toMatchObject({
    status: 409
  })
  await bodyOf(accept, { params: twin, body: { digest } })
  await expect
    .poll(async () => (await bodyOf<PluginDetails>(get, { params: twin })).views, { timeout: 15_000 })
    .toHaveLength(1)
  expect(await bodyOf<PluginDetails>(get, { params: twin })).not.toHaveProperty('withheld')
  await session.runTurn('hello again')
  expect(events).toContain('AGENT_START')
})

test('003-3: the settings from the review are saved with the plugin, and removed with it', async () => {
  const plugin = await serveTestPlugin({
    fields: 'field "unit" {\n type = "string"\n required = true\n }',
    rejectConfig({ unit }) {
      if (unit === undefined) throw new Error('no unit')
    }
  })
  const { sql } = await startTestServer({ settings: allowed })
  const found = await bodyOf<PluginReview>(inspect, { body: addressOf(plugin) })
  expect(found).toMatchObject({ capabilities: [], problem: expect.any(String), settings: [{ name: 'unit' }] })
  expect(await callEndpoint(add, { body: { ...addressOf(plugin), digest: found.digest } })).toMatchObject({
    status: 422
  })
  expect(await addAt({ ...addressOf(plugin), settings: { unit: 'metric' } })).toMatchObject({ status: 201 })
  await serving()
  expect(plugin.registered.at(-1)?.config).toEqual({ unit: 'metric' })
  const params = { workspaceId: 'default', ...twin }
  await bodyOf(pluginSettingsOperations.save, { params, body: { settings: { unit: 'imperial' } } })
  await expect.poll(() => plugin.registered.at(-1)?.config, { timeout: 15_000 }).toEqual({ unit: 'imperial' })
  await bodyOf(remove, { params: twin })
  expect(await sql`select from plugin_settings`).toHaveLength(0)
})

test('003-17: a plugin can still call the server after an owner read its manifest again', async () => {
  const plugin = await serveTestPlugin()
  await startTestServer({ settings: allowed })
  await addAt(addressOf(plugin))
  await serving()
  const registered = plugin.registered.at(-1)?.envVars
  expect(registered).toMatchObject({ PLATFORM_HOST_ADDR: expect.any(String) })
  const before = plugin.registered.length
  await bodyOf<PluginReview>(review, { params: twin })
  expect(plugin.registered.length).toBeGreaterThan(before)
  expect(plugin.registered.at(-1)?.envVars).toEqual(registered)
})

test('003-3: an added plugin receives no variables of the workspace file', async () => {
  const plugin = await serveTestPlugin()
  const folder = workspaceFolder('env { SECRET = "of the operator" }')
  await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  await addAt(addressOf(plugin))
  await serving()
  for (const { envVars } of plugin.registered) expect(envVars).not.toHaveProperty('SECRET')
})

test('003-3: an added plugin is not restarted when the variables of the workspace file change', async () => {
  const [fromFile, added] = [await serveTestPlugin(), await serveTestPlugin({ name: 'other' })]
  const { source } = addressOf(fromFile)
  const blocks = (region: string) => `env { REGION = "${region}" }\nplugin "twin" { source = "${source}" }`
  const folder = workspaceFolder(blocks('north'))
  await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  await addAt(addressOf(added))
  await serving('other')
  const before = added.registered.length
  writeFileSync(join(folder, 'default.hcl'), `workspace "default" {\n${blocks('south')}\n}\n`)
  await expect
    .poll(() => fromFile.registered.at(-1)?.envVars, { timeout: 15_000 })
    .toMatchObject({ REGION: 'south' })
  await serving('other')
  expect(added.registered).toHaveLength(before)
})

test('003-3: every process picks up a plugin that was added in another one, and its removal', async () => {
  const plugin = await serveTestPlugin()
  const first = await startTestServer({ settings: allowed })
  const second = await first.startSecondServer(allowed)
  await addAt(addressOf(plugin))
  await serving()
  const of = ({ ctx }: { ctx: Ctx }) => ctx.ports.plugins?.of('default').map(({ name }) => name)
  for (const process of [first, second])
    await expect.poll(() => of(process), { timeout: 15_000 }).toEqual(['twin'])
  await bodyOf(remove, { params: twin })
  for (const process of [first, second]) await expect.poll(() => of(process), { timeout: 15_000 }).toEqual([])
})

test('003-3: with a certificate authority, an added plugin is called only if its certificate is trusted', async () => {
  const { key, cert: ca } = makeCertificate('localhost')
  const plugin = await serveTestPlugin({ tls: { key, cert: ca } })
  await startTestServer({ settings: allowed })
  const source = `remotes://localhost:${plugin.port}`
  expect(await callEndpoint(inspect, { body: { source } })).toMatchObject({ status: 503 })
  expect(await addAt({ source, ca })).toMatchObject({ status: 201, body: { added: { hasCa: true } } })
  await serving()
  expect(await callEndpoint(change, { params: twin, body: addressOf(plugin) })).toMatchObject({
    status: 422,
    body: { fields: { ca: expect.any(String) } }
  })
})
