import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError } from '@connectrpc/connect'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import type { TestPluginOptions } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { list, save, options } = pluginSettingsOperations
const pluginParams = { workspaceId: 'default', plugin: 'twin' }

const fields = `
  field "api_key_env" {
    type        = "string"
    required    = true
    description = "The variable that has the key."
  }
  field "unit" {
    type    = "string"
    options = ["celsius", "fahrenheit"]
    default = "celsius"
    ui_type = "radio"
  }
  field "max_retries" {
    type    = "number"
    default = "3"
  }
  field "debug" { type = "bool" }
  field "place" {
    type    = "string"
    pattern = "[A-Z][a-z]+"
  }`

/**
 * Starts a server whose default workspace has a plugin with these settings. `config` is the block in the workspace
 * file.
 */
async function withFields(options: TestPluginOptions = { fields }, config = '', allow = '127.0.0.1') {
  const plugin = await serveTestPlugin(options)
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: allow === '' ? `127.0.0.1:${plugin.port}` : allow,
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" {
        source = "remote://127.0.0.1:${plugin.port}"
        config {
          ${config}
        }
      }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const put = (settings: object) => callEndpoint(save, { params: pluginParams, body: { settings } })
  return { ...server, plugin, put }
}

test('003-5, 003-7: saved settings override the defaults of the manifest, the workspace file overrides both, and the plugin registers again', async () => {
  const { plugin, put } = await withFields({ fields }, 'debug = true\n other = "kept"')
  const defaults = { unit: 'celsius', max_retries: '3' }
  expect(plugin.registered[0]?.config).toEqual({ ...defaults, debug: 'true', other: 'kept' })
  expect(await put({ api_key_env: 'KEY', max_retries: 5, place: 'Rome' })).toEqual({
    status: 200,
    body: { status: 'saved' }
  })
  await expect.poll(() => plugin.registered.length).toBe(2)
  expect(plugin.registered[1]?.config).toEqual({
    unit: 'celsius',
    api_key_env: 'KEY',
    max_retries: '5',
    place: 'Rome',
    debug: 'true',
    other: 'kept'
  })
})

test('003-7: settings can be saved again before the plugin has registered with the previous ones', async () => {
  const { plugin, put } = await withFields()
  const state = async () =>
    ((await callEndpoint(hostedPluginOperations.list)).body as { plugins: PluginStatus[] }).plugins[0]?.state
  await plugin.stop()
  expect(await put({ api_key_env: 'ONE' })).toMatchObject({ status: 200 })
  await expect.poll(state).toMatchObject({ kind: 'restarting' })
  expect(await put({ api_key_env: 'TWO', unit: 'kelvin' })).toMatchObject({ status: 422 })
  expect(await put({ api_key_env: 'TWO' })).toMatchObject({ status: 200 })
  await plugin.start()
  await expect.poll(() => plugin.registered.at(-1)?.config).toMatchObject({ api_key_env: 'TWO' })
})

test('003-6: settings are listed with the schema of the manifest, the saved values and the names set in the file', async () => {
  const { put } = await withFields({ fields }, 'debug = true')
  await put({ api_key_env: 'KEY', unit: '' })
  const { body } = await callEndpoint(list, { params: pluginParams })
  expect(body).toEqual([
    {
      name: 'twin',
      schema: [
        {
          name: 'api_key_env',
          type: 'string',
          ui_type: 'text',
          required: true,
          description: 'The variable that has the key.'
        },
        {
          name: 'unit',
          type: 'string',
          ui_type: 'radio',
          required: false,
          default: 'celsius',
          options: ['celsius', 'fahrenheit']
        },
        { name: 'max_retries', type: 'number', ui_type: 'number', required: false, default: '3' },
        { name: 'debug', type: 'bool', ui_type: 'checkbox', required: false },
        { name: 'place', type: 'string', ui_type: 'text', required: false, pattern: '[A-Z][a-z]+' }
      ],
      settings: { api_key_env: 'KEY' },
      fixed: ['debug']
    }
  ])
})

test('003-7: invalid values are reported by field, and nothing is saved', async () => {
  const { put } = await withFields({ fields }, 'debug = true')
  const invalid = { unit: 'kelvin', max_retries: 'many', debug: false, place: 'rome, or so', colour: 'red' }
  expect(await put(invalid)).toMatchObject({
    status: 422,
    body: {
      code: 'INVALID_INPUT',
      fields: {
        api_key_env: expect.any(String),
        unit: expect.any(String),
        max_retries: expect.any(String),
        debug: expect.any(String),
        place: expect.any(String),
        colour: expect.any(String)
      }
    }
  })
  // Patterns of tool rules ignore case, but those of settings do not.
  expect(await put({ api_key_env: 'KEY', place: 'rome' })).toMatchObject({
    status: 422,
    body: { fields: { place: expect.any(String) } }
  })
  // A setting never stores a secret, only the name of the variable that has it.
  expect(await put({ api_key_env: 'sk-1234' })).toMatchObject({
    status: 422,
    body: { fields: { api_key_env: expect.any(String) } }
  })
  const unsafe = JSON.parse('{"api_key_env":"KEY","__proto__":"x","constructor":"y"}')
  expect(await put(unsafe)).toMatchObject({
    status: 422,
    body: { fields: { constructor: 'unknown' } }
  })
  const { body } = await callEndpoint(list, { params: pluginParams })
  expect(body).toMatchObject([{ settings: {} }])
})

test('003-6, 003-7: editors of a workspace can read settings, and only owners can save them', async () => {
  const { ctx } = await withFields()
  const key = async (role: 'editor' | 'viewer') => (await createKey(ctx, { name: role, role })).secret
  expect(await callEndpoint(list, { params: pluginParams }, await key('viewer'))).toMatchObject({
    status: 403
  })
  const editor = await key('editor')
  expect(await callEndpoint(list, { params: pluginParams }, editor)).toMatchObject({ status: 200 })
  const body = { settings: { api_key_env: 'KEY' } }
  expect(await callEndpoint(save, { params: pluginParams, body }, editor)).toMatchObject({ status: 403 })
})

test('003-5: a plugin that cannot register without settings can still be configured by its form', async () => {
  const { plugin, put } = await withFields({
    fields,
    rejectConfig(config) {
      if (config.api_key_env === undefined)
        throw new ConnectError('There is no key.', Code.FailedPrecondition)
    }
  })
  const listPlugins = async () =>
    (await callEndpoint(hostedPluginOperations.list)).body as {
      plugins: { state: { kind: string; why?: string } }[]
    }
  await expect.poll(async () => (await listPlugins()).plugins[0]?.state.why).toContain('There is no key.')
  expect(await put({ api_key_env: 'KEY' })).toMatchObject({ status: 200 })
  await expect.poll(async () => (await listPlugins()).plugins[0]?.state).toEqual({ kind: 'serving' })
  expect(plugin.registered[0]?.config).toMatchObject({ api_key_env: 'KEY' })
})

test('003-7: settings of a plugin that never started are unknown and cannot be saved', async () => {
  await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder('plugin "twin" { source = "remote://127.0.0.1:1" }')
    }
  })
  expect(await callEndpoint(save, { params: pluginParams, body: { settings: { unit: 'x' } } })).toMatchObject(
    {
      status: 503,
      body: { code: 'UNAVAILABLE' }
    }
  )
})

test('003-5: a plugin with an invalid manifest runs without settings, and its status has the reason', async () => {
  await withFields({ fields: 'field "a" { type = "colour" }' })
  const { body } = await callEndpoint(hostedPluginOperations.list)
  const { plugins } = body as { plugins: PluginStatus[] }
  expect(plugins).toMatchObject([
    {
      state: { kind: 'serving' },
      skipped: [{ name: 'manifest', reason: expect.stringMatching(/line \d+|^\d+:\d+|type/) }]
    }
  ])
  expect(await callEndpoint(list, { params: pluginParams })).toMatchObject({ body: [{ schema: [] }] })
})

/** Starts a server of options. `asked` collects the requested URLs. */
async function serveOptions(
  answer: (q: string | null) => { status?: number; body: string; headers?: object }
) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const url = new URL(request.url ?? '', 'http://localhost')
    const { status = 200, body, headers = {} } = answer(url.searchParams.get('q'))
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const from = (host = '127.0.0.1') => ({
    fields: `field "city" {
      type       = "string"
      api_source = "http://${host}:${port}/cities?country=it"
    }`
  })
  return { asked, from }
}

test('003-5: values of the workspace file that the manifest does not permit are reported, and still sent', async () => {
  const config = ['api_key_env = "KEY"', 'unit = "stone"', 'max_retries = 2', 'colour = "red"']
  const { plugin } = await withFields({ fields }, config.join('\n'))
  expect(plugin.registered[0]).toMatchObject({ config: { unit: 'stone', max_retries: '2' } })
  const { body } = await callEndpoint(hostedPluginOperations.get, { params: { plugin: 'twin' } })
  const reasons = (body as PluginStatus).skipped.map(({ reason }) => reason)
  expect(reasons).toEqual([expect.stringContaining('“colour”'), expect.stringContaining('“unit”')])
})

test('003-8: options come from the URL of the manifest with the search text, without data about the user', async () => {
  const cities = ['Rome', 'Milan']
  const { asked, from } = await serveOptions(q => ({
    body: JSON.stringify(
      cities.filter(name => name.includes(q ?? '')).map((label, value) => ({ value, label }))
    )
  }))
  await withFields(from())
  const params = { ...pluginParams, field: 'city' }
  expect(await callEndpoint(options, { params, query: { q: 'Ro&me=' } })).toEqual({ status: 200, body: [] })
  expect(asked).toEqual(['/cities?country=it&q=Ro%26me%3D'])
  expect(await callEndpoint(options, { params })).toEqual({
    status: 200,
    body: [
      { value: '0', label: 'Rome' },
      { value: '1', label: 'Milan' }
    ]
  })
  expect(await callEndpoint(options, { params: { ...pluginParams, field: 'none' } })).toMatchObject({
    status: 404
  })
})

test('22 A8: another port on the host of the plugin is not called for options unless the settings allow it', async () => {
  const { asked, from } = await serveOptions(() => ({ body: '[]' }))
  // The egress settings allow only the port of the plugin itself.
  await withFields(from(), '', '')
  expect(await callEndpoint(options, { params: { ...pluginParams, field: 'city' } })).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' }
  })
  expect(asked).toEqual([])
})

test('003-8: a private address, a redirect, a huge response and an invalid one are rejected with a readable error', async () => {
  const params = { ...pluginParams, field: 'city' }
  const errorOf = async () => {
    const { status, body } = await callEndpoint(options, { params })
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    return body.error
  }
  const { asked, from } = await serveOptions(() => ({ body: '[]' }))
  await withFields(from('localhost'), '', '')
  expect(await errorOf()).toContain('localhost')
  expect(asked).toEqual([])

  const redirecting = await serveOptions(() => ({
    status: 302,
    body: '',
    headers: { location: 'http://example.com/' }
  }))
  await withFields(redirecting.from())
  expect(await errorOf()).toContain('302')

  const huge = await serveOptions(() => ({ body: `["${'x'.repeat(2_000_000)}"]` }))
  await withFields(huge.from())
  await errorOf()

  const shapeless = await serveOptions(() => ({ body: '{"cities":[]}' }))
  await withFields(shapeless.from())
  await errorOf()
})
