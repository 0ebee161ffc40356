import { parseEgressPolicy } from '@waystation/egress'
import { schemasWith } from '@waystation/json-schemas'
import { pluginHost } from '@waystation/plugin-host/host.ts'
import { expect, onTestFinished, test, vi } from 'vitest'

test('the log names a plugin that the server gave up on, and the reason', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  const schemas = schemasWith()
  onTestFinished(schemas.stop)
  const host = pluginHost({
    policy: parseEgressPolicy(''),
    localFolder: undefined,
    platform: undefined,
    async *converse() {},
    readManifest: async () => undefined,
    schemas
  })
  onTestFinished(host.stop)
  const source = { kind: 'remote' as const, text: 'remote://127.0.0.1:9' }
  await host.keep('w', [{ name: 'twin', source, config: {}, saved: {}, failClosed: false }], { envVars: {} })
  await expect.poll(() => host.list('w')).toMatchObject([{ state: { kind: 'failed' } }])
  const warnings = lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
  expect(warnings).toContainEqual(
    expect.objectContaining({ level: 'warn', workspaceId: 'w', plugin: 'twin', because: expect.any(String) })
  )
})
