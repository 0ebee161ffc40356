import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { expect, test } from 'vitest'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { save, remove } = secretOperations
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
