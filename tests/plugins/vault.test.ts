import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import type { Secrets } from '@waystation/protocol/workspace/secret.ts'
import { expect, test } from 'vitest'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { list, save, remove } = secretOperations
const weather = { params: { name: 'weather' } }

/** Starts a server whose workspace file has this block for the plugin at an address. */
async function startWith(block: (port: number) => string) {
  const plugin = await serveTestPlugin()
  const folder = workspaceFolder(block(plugin.port))
  const settings = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder }
  return { plugin, ...(await startTestServer({ settings })) }
}

const stateOfPlugin = async () => {
  const { body } = await callEndpoint(hostedPluginOperations.get, { params: { plugin: 'twin' } })
  return (body as PluginDetails).state
}
const expectState = (kind: string) =>
  expect.poll(async () => (await stateOfPlugin()).kind, { timeout: 15_000 }).toBe(kind)

test('003-18: vault("name") gives a plugin a secret that an owner saved, and a changed or removed one reaches it', async () => {
  const { plugin } = await startWith(
    port => `
      env { TOKEN = vault("token") }
      plugin "twin" {
        source = "remote://127.0.0.1:${port}"
        config { key = "Bearer \${vault("weather")}" }
      }`
  )
  // Without its secrets, the plugin waits, and its page names them.
  expect(await stateOfPlugin()).toMatchObject({
    kind: 'failed',
    why: expect.stringMatching(/token.*weather/)
  })
  await callEndpoint(save, { params: { name: 'token' }, body: { value: 't-1' } })
  await callEndpoint(save, { ...weather, body: { value: 'k-1' } })
  await expectState('serving')
  expect(plugin.registered.at(-1)).toMatchObject({
    config: { key: 'Bearer k-1' },
    envVars: { TOKEN: 't-1' }
  })
  await callEndpoint(save, { ...weather, body: { value: 'k-2' } })
  await expect
    .poll(() => plugin.registered.at(-1)?.config, { timeout: 15_000 })
    .toEqual({ key: 'Bearer k-2' })
  await callEndpoint(remove, weather)
  await expectState('failed')
  expect((await stateOfPlugin()).why).not.toContain('token')
})

test('a secret is stored encrypted, never returned, and audited; bad names and values are refused', async () => {
  const { sql, ctx } = await startTestServer()
  const { status, body } = await callEndpoint(save, { ...weather, body: { value: 'k-1' } })
  expect({ status, body }).toMatchObject({ status: 200, body: { name: 'weather' } })
  const { secrets } = (await callEndpoint(list)).body as Secrets
  expect(secrets).toEqual([{ name: 'weather', savedBy: expect.any(String), savedAt: expect.any(String) }])
  const stored = await sql<{ row: string }[]>`select workspace_secrets::text as row from workspace_secrets`
  expect(stored.map(({ row }) => row.includes('k-1'))).toEqual([false])
  for (const [name, value] of [
    ['weather', ''],
    ['weather', 'x'.repeat(16_385)],
    ['-weather', 'x'],
    ['a'.repeat(65), 'x'],
    ['a b', 'x']
  ] as const)
    expect(await callEndpoint(save, { params: { name }, body: { value } })).toMatchObject({ status: 422 })
  expect(await callEndpoint(remove, weather)).toMatchObject({ status: 200, body: { name: 'weather' } })
  expect(await callEndpoint(remove, weather)).toMatchObject({ status: 404 })
  const { entries } = await listAudit(ctx, {})
  expect(entries.map(({ action, toolName }) => [action, toolName])).toEqual([
    ['secret.removed', 'weather'],
    ['secret.saved', 'weather']
  ])
})

test('a workspace can have 100 secrets, and more can replace them but not be added', async () => {
  const { sql } = await startTestServer()
  await sql`
    insert into workspace_secrets (workspace_id, name, sealed, saved_by, saved_at)
    select 'default', 'secret-' || number, 'v1.x.y.z', 'Ann', now() from generate_series(1, 100) number`
  expect(await callEndpoint(save, { ...weather, body: { value: 'k' } })).toMatchObject({ status: 422 })
  expect(await callEndpoint(save, { params: { name: 'secret-7' }, body: { value: 'k' } })).toMatchObject({
    status: 200
  })
})
