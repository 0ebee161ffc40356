import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PluginDetails, PluginStatus, ProtoFile } from '@waystation/protocol/plugin/plugin.ts'
import { expect, test } from 'vitest'
import { versionError } from '#components/plugins/plugin-words.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { list, get, restart, protos } = hostedPluginOperations

/** Starts a server whose default workspace has a running plugin and one that is down. */
async function withPlugin() {
  const broken = { name: 'broken', description: '', parametersJsonSchema: '{"type":' }
  const fine = { name: 'echo', description: 'Says it again.', parametersJsonSchema: '' }
  const plugin = await serveTestPlugin({
    tools: [fine, broken],
    metadata: { version: '1.2.3', lifecycle_events: 'TOOL_CALL' },
    hook: () => undefined
  })
  const folder = workspaceFolder(`
      plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }
      plugin "absent" { source = "remote://127.0.0.1:1" }
  `)
  const server = await startTestServer({
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  return { ...server, plugin }
}

/** Calls an endpoint as an owner and returns the response body. */
const bodyOf = async <T>(...[operation, parts]: Parameters<typeof callEndpoint>) =>
  (await callEndpoint(operation, parts)).body as T

test('003-3, 003-4: plugins are listed with their state and its reason, version, capabilities, tools and skipped items', async () => {
  await withPlugin()
  const { plugins } = await bodyOf<{ plugins: PluginStatus[] }>(list)
  expect(plugins).toMatchObject([
    {
      name: 'twin',
      state: { kind: 'serving' },
      version: '1.2.3',
      capabilities: ['tools', 'hooks'],
      tools: [{ name: 'echo', description: 'Says it again.' }],
      hooks: { events: ['TOOL_CALL'], calls: 0 },
      skipped: [{ name: 'broken', reason: expect.stringContaining('JSON') }],
      restarts: 0
    },
    { name: 'absent', state: { kind: expect.any(String) }, capabilities: [], tools: [] }
  ])
  await expect
    .poll(async () => (await bodyOf<PluginDetails>(get, { params: { plugin: 'absent' } })).state)
    .toMatchObject({ kind: 'restarting', why: expect.stringContaining('unavailable') })
})

test('22 B5: a plugin shows the data of its manifest, and whether the workspace file names another version', async () => {
  const icon = { icon: 'calendar' }
  const testPlugin = await serveTestPlugin({ manifest: icon })
  const other = await serveTestPlugin({ name: 'other', metadata: { version: '2.0.0' } })
  const source = ({ port }: { port: number }) => `source = "remote://127.0.0.1:${port}"`
  const folder = workspaceFolder(`
      plugin "twin" {
        ${source(testPlugin)}
        version = "1.0.0"
      }
      plugin "other" {
        ${source(other)}
        version = "1.0.0"
      }
  `)
  const server = await startTestServer({
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const { plugins } = await bodyOf<{ plugins: PluginStatus[] }>(list)
  const manifest = { version: '1.0.0', description: 'Says things again.', author: 'Us', type: 'remote' }
  expect(plugins).toMatchObject([
    { version: '1.0.0', wantedVersion: '1.0.0', about: { ...manifest, ...icon } },
    { version: '2.0.0', wantedVersion: '1.0.0', about: manifest }
  ])
  expect(plugins.map(plugin => versionError(plugin) === '')).toEqual([true, false])
})

test('003-3: a plugin that is restarted registers again, and an unknown plugin is not found', async () => {
  const { plugin } = await withPlugin()
  expect(plugin.registered).toHaveLength(1)
  await bodyOf(restart, { params: { plugin: 'twin' } })
  await expect.poll(() => plugin.registered.length).toBe(2)
  await expect
    .poll(() => bodyOf<PluginDetails>(get, { params: { plugin: 'twin' } }))
    .toMatchObject({ state: { kind: 'serving' }, restarts: 1 })
  expect(await callEndpoint(restart, { params: { plugin: 'nobody' } })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
})

test('003-1: the API publishes the protos of the repository: six files that import each other without a folder', async () => {
  await withPlugin()
  const { files } = await bodyOf<{ files: ProtoFile[] }>(protos)
  expect(files.map(({ name }) => name)).toEqual(readdirSync('proto').sort())
  expect(files).toHaveLength(6)
  for (const { name, text } of files) {
    expect(text).toBe(readFileSync(join('proto', name), 'utf8'))
    expect(text).toContain('package agentplatform.v1;')
    for (const [, imported] of text.matchAll(/import "(.*)"/g))
      expect(readdirSync('proto')).toContain(imported)
  }
})
