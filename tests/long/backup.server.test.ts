import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { demo } from '#tests/support/fakes/demo.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

/**
 * Archives the data directory of a stopped server as in docs/backup.md. The returned function extracts the archive
 * to a new directory.
 */
async function archiveDirectory(dataDir: string): Promise<() => Promise<string>> {
  const newDirectory = () => mkdtemp(join(tmpdir(), 'waystation-backup-'))
  const archive = join(await newDirectory(), 'backup.tar.gz')
  execFileSync('tar', ['-C', dataDir, '-czf', archive, '.'])
  return async () => {
    const restored = await newDirectory()
    execFileSync('tar', ['-C', restored, '-xzf', archive])
    return restored
  }
}

const server = async (settings: Record<string, string>) => {
  const started = await startServer(settings)
  onTestFinished(() => started.stop())
  return started
}

const isFrom = ({ body, headers }: ExternalRequest, secret: string) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

test('a backup restored elsewhere with its vault key: pending calls are answered and continue, and stored secrets still sign', async () => {
  const externalSystem = await startExternalSystem()
  const settings = { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  const old = await server(settings)
  const before = createApiClient(old)
  await before.post('/agents', {
    agentId: 'acme',
    displayName: 'Acme',
    type: 'external',
    external: { inputUrl: `${externalSystem.url}/in` }
  })
  const { secret } = (await before.post('/agents/acme/secrets', {})) as { secret: string }
  await before.create('acme', 'order-1')
  await before.create('guide', 'tea')
  await before.post('/sessions/tea/messages', { text: demo.askToChoose('tea', 'coffee') })
  const parked = await before.until('tea', 'parked')
  const call = parked.session?.waitingFor[0]
  old.process.kill('SIGTERM')
  await old.exited

  const restore = await archiveDirectory(old.dataDir)
  const fresh = await server({ ...settings, WAYSTATION_DATA_DIR: await restore() })
  const after = createApiClient(fresh)
  expect((await after.get('/sessions/tea')).session).toMatchObject({ status: 'parked', waitingFor: [call] })
  await after.post(`/sessions/tea/calls/${call?.toolCallId}/answer`, { output: { answer: 'tea' } })
  expect(JSON.stringify((await after.until('tea', 'idle')).messages)).toContain('tea')
  await after.post('/sessions/order-1/messages', { text: 'to the new place' })
  expect(isFrom(await externalSystem.request(0), secret)).toBe(true)
  fresh.process.kill('SIGTERM')
  await fresh.exited

  // Without the vault key, pending calls continue, and a delivery that needs a secret fails with an error that names
  // the key.
  const keyless = await restore()
  await rm(join(keyless, 'vault-key'))
  const without = createApiClient(await server({ ...settings, WAYSTATION_DATA_DIR: keyless }))
  expect((await without.get('/sessions/tea')).session).toMatchObject({ status: 'parked' })
  await without.post('/sessions/order-1/messages', { text: 'unsigned?' })
  const attempt = await without.watch('order-1', async () => {
    const { deliveries } = (await without.get('/sessions/order-1/deliveries')) as { deliveries: Delivery[] }
    return deliveries[0]?.attempts[0]
  })
  expect(attempt.error).toContain('WAYSTATION_VAULT_KEY')
  expect(externalSystem.requests).toHaveLength(1)
}, 180_000)
