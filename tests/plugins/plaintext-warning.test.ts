import { parseEgressPolicy } from '@waystation/egress'
import { schemasWith } from '@waystation/json-schemas'
import { pluginHost } from '@waystation/plugin-host/host.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'

/** Starts plugins at these addresses, restarts each once, and returns the warnings in the log. */
async function warningsAbout(sources: Record<string, string>) {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  const schemas = schemasWith()
  onTestFinished(schemas.stop)
  const host = pluginHost({
    policy: parseEgressPolicy('127.0.0.0/8,::1', { resolve: async () => ['127.0.0.1'] }),
    localFolder: undefined,
    platform: undefined,
    async *converse() {},
    readManifest: async () => undefined,
    schemas
  })
  onTestFinished(host.stop)
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
  return lines
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
    .filter(({ level }) => level === 'warn')
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
