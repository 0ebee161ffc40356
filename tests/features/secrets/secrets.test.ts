import type { Secrets } from '@waystation/protocol/workspace/secret.ts'
import { expect, test } from 'vitest'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { listSecrets } from '#lib/features/secrets/secrets.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { list, save, remove } = secretOperations
const weather = { params: { name: 'weather' } }

test('a secret is stored encrypted, never returned, and audited; bad names and values are refused', async () => {
  const { sql, ctx, actAs } = await startTestServer()
  const { status, body } = await callEndpoint(save, { ...weather, body: { value: 'k-1' } })
  expect({ status, body }).toMatchObject({ status: 200, body: { name: 'weather' } })
  const { secrets } = (await callEndpoint(list)).body as Secrets
  expect(secrets).toEqual([{ name: 'weather', savedBy: expect.any(String), savedAt: expect.any(String) }])
  expect((await listSecrets(actAs('Eve', 'other'), {})).secrets).toEqual([])
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
