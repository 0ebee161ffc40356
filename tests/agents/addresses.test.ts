import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { list, get, create, update, revisions, revision, draft, saveDraft, publish, compare } = agentOperations
const secret = 'T0SECRET'
const fullUrl = `https://hooks.acme.example/services/${secret}`
const maskedUrl = 'https://hooks.acme.example/••••'

const acme = (inputUrl: string) => ({
  agentId: 'acme',
  displayName: 'Acme',
  type: 'external',
  external: { inputUrl }
})

const agentWithUrl = (url: string) => ({
  agentId: 'desk',
  displayName: 'Desk',
  chat: {
    tools: [
      {
        name: 'dispatch',
        where: 'external',
        description: 'Sends a crew.',
        inputSchema: { type: 'object' },
        url
      }
    ]
  }
})

/**
 * Returns functions that read two agents as this role. Each agent has URLs with a secret, two revisions and a
 * draft.
 */
async function readAs(role: Role) {
  const { ctx } = await startTestServer()
  for (const [agentId, config] of [['acme', acme] as const, ['desk', agentWithUrl] as const]) {
    const params = { agentId }
    await callEndpoint(create, { body: config(`${fullUrl}/1`) })
    await callEndpoint(update, { params, body: config(`${fullUrl}/2?key=${secret}`) })
    await callEndpoint(saveDraft, { params, body: { config: config(`${fullUrl}/3`), base: 2 } })
  }
  const key = (await createKey(ctx, { name: role, role })).secret
  const callFor = (operation: Operation, agentId: string, extra: object = {}) =>
    callEndpoint(operation, { params: { agentId, revision: '1' }, ...extra }, key)
  return { ask: callFor }
}

const reads: [Operation, Record<string, string>][] = [
  [list, {}],
  [get, {}],
  [revisions, {}],
  [revision, {}],
  [draft, {}],
  [compare, {}],
  [compare, { from: '1', to: '2' }]
]

test.each(['viewer', 'operator'] as const)(
  '22 A9: the role %s sees only the origin of external URLs',
  async role => {
    const { ask: callFor } = await readAs(role)
    for (const agentId of ['acme', 'desk'])
      for (const [operation, query] of reads) {
        const { status, body } = await callFor(operation, agentId, { query })
        expect(status, operation.id).toBe(200)
        expect(JSON.stringify(body), operation.id).not.toContain(secret)
        expect(JSON.stringify(body), operation.id).toContain(maskedUrl)
      }
    const { body } = await callFor(compare, 'acme')
    expect(body.changes).toMatchObject([
      { path: ['external', 'inputUrl'], before: maskedUrl, after: maskedUrl }
    ])
  }
)

test('22 A9: an editor sees complete URLs, and can save them unchanged', async () => {
  const { ask: callFor } = await readAs('editor')
  for (const agentId of ['acme', 'desk']) {
    for (const [operation, query] of reads)
      expect(JSON.stringify((await callFor(operation, agentId, { query })).body), operation.id).toContain(
        secret
      )
    const { body } = await callFor(get, agentId)
    expect((await callFor(update, agentId, { body: { ...body, description: 'Ours.' } })).status).toBe(200)
    const { revision: _, updatedAt: __, ...after } = (await callFor(get, agentId)).body
    const { revision: ___, updatedAt: ____, ...before } = body
    expect(after).toEqual({ ...before, description: 'Ours.' })
  }
})

test('22 A9: a URL that was shortened for its reader cannot be saved', async () => {
  const { ask: callFor } = await readAs('editor')
  for (const [agentId, config, field] of [
    ['acme', acme(maskedUrl), 'external.inputUrl'],
    ['desk', agentWithUrl(maskedUrl), 'chat.tools.0.url']
  ] as const) {
    const rejection = {
      status: 422,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
    }
    expect(await callFor(create, agentId, { body: config })).toMatchObject(rejection)
    expect(await callFor(update, agentId, { body: config })).toMatchObject(rejection)
    expect(await callFor(saveDraft, agentId, { body: { config, base: 2 } })).toMatchObject({ status: 422 })
    expect((await callFor(publish, agentId, { body: { base: 2 } })).status).toBe(200)
    expect(JSON.stringify((await callFor(get, agentId)).body)).toContain(`${fullUrl}/3`)
  }
})
