import { type EgressPolicy, parseEgressPolicy } from '@waystation/egress'
import { schemasWith } from '@waystation/json-schemas'
import { pluginHost } from '@waystation/plugin-host/host.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'

/** Starts a plugin host that may call these addresses. `warnings` returns what it has logged. */
function startHost(policy: EgressPolicy) {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  const schemas = schemasWith()
  onTestFinished(schemas.stop)
  const host = pluginHost({
    policy,
    localFolder: undefined,
    platform: undefined,
    async *converse() {},
    readManifest: async () => undefined,
    schemas
  })
  onTestFinished(host.stop)
  const warnings = () =>
    lines
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line))
      .filter(({ level }) => level === 'warn')
  return { host, lines, warnings }
}

/** Starts plugins at these addresses, restarts each once, and returns the warnings in the log. */
async function warningsAbout(sources: Record<string, string>) {
  const { host, lines, warnings } = startHost(
    parseEgressPolicy('127.0.0.0/8,::1', { resolve: async () => ['127.0.0.1'] })
  )
  const plugins = Object.entries(sources).map(([name, text]) => ({
    name,
    source: { kind: 'remote' as const, text },
    config: { api_key: 'secret-in-config' },
    saved: {},
    failClosed: false
  }))
  await host.keep('w', plugins, { envVars: { KEY: 'secret-in-env' } })
  await host.ready('w', 20_000)
  for (const { name } of plugins) host.restart('w', name)
  await expect.poll(() => host.list('w').filter(({ restarts }) => restarts === 0)).toEqual([])
  expect(lines.join('')).not.toMatch(/secret-in/)
  return warnings()
}

test('22 A8: a plugin without TLS on another machine causes one warning that suggests TLS', async () => {
  const { port } = await serveTestPlugin()
  const source = `remote://plugins.example:${port}`
  expect(await warningsAbout({ twin: source })).toMatchObject([
    { workspaceId: 'w', plugin: 'twin', source, because: expect.stringContaining('remotes://') }
  ])
})

test('22 A8: no warning is logged for a plugin on this machine or with TLS', async () => {
  const { port } = await serveTestPlugin()
  expect(
    await warningsAbout({
      address: `remote://127.0.0.1:${port}`,
      name: `remote://localhost:${port}`,
      six: `remote://[::1]:${port}`,
      secure: `remotes://plugins.example:${port}`
    })
  ).toEqual([])
})

test('the log names a plugin that the server gave up on, and the reason', async () => {
  const { host, warnings } = startHost(parseEgressPolicy(''))
  const source = { kind: 'remote' as const, text: 'remote://127.0.0.1:9' }
  await host.keep('w', [{ name: 'twin', source, config: {}, saved: {}, failClosed: false }], { envVars: {} })
  await expect.poll(() => host.list('w')).toMatchObject([{ state: { kind: 'failed' } }])
  expect(warnings()).toContainEqual(
    expect.objectContaining({ workspaceId: 'w', plugin: 'twin', because: expect.any(String) })
  )
})
