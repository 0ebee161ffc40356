import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const { list, get, create, update, revisions, revision, draft, saveDraft, publish, compare } = agentOperations
const secret = 'T0SECRET'
const outside = `https://hooks.acme.example/services/${secret}`
const cut = 'https://hooks.acme.example/••••'

const acme = (inputUrl: string) => ({
  agentId: 'acme',
  displayName: 'Acme',
  type: 'external',
  external: { inputUrl }
})

const dispatcher = (url: string) => ({
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

/** Two agents with addresses that hold a secret, each published twice and with a draft, as a role sees them. */
async function seenBy(role: Role) {
  const { ctx } = await testWorld()
  for (const [agentId, config] of [['acme', acme] as const, ['desk', dispatcher] as const]) {
    const params = { agentId }
    await callEndpoint(create, { body: config(`${outside}/1`) })
    await callEndpoint(update, { params, body: config(`${outside}/2?key=${secret}`) })
    await callEndpoint(saveDraft, { params, body: { config: config(`${outside}/3`), base: 2 } })
  }
  const key = (await createKey(ctx, { name: role, role })).secret
  const ask = (operation: Operation, agentId: string, more: object = {}) =>
    callEndpoint(operation, { params: { agentId, revision: '1' }, ...more }, key)
  return { ask }
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
  '22 A9: the role %s sees addresses of other systems without what is behind their origin',
  async role => {
    const { ask } = await seenBy(role)
    for (const agentId of ['acme', 'desk'])
      for (const [operation, query] of reads) {
        const { status, body } = await ask(operation, agentId, { query })
        expect(status, operation.id).toBe(200)
        expect(JSON.stringify(body), operation.id).not.toContain(secret)
        expect(JSON.stringify(body), operation.id).toContain(cut)
      }
    const { body } = await ask(compare, 'acme')
    expect(body.changes).toMatchObject([{ path: ['external', 'inputUrl'], before: cut, after: cut }])
  }
)

test('22 A9: an editor sees addresses whole, and saves what they were given', async () => {
  const { ask } = await seenBy('editor')
  for (const agentId of ['acme', 'desk']) {
    for (const [operation, query] of reads)
      expect(JSON.stringify((await ask(operation, agentId, { query })).body), operation.id).toContain(secret)
    const { body } = await ask(get, agentId)
    expect((await ask(update, agentId, { body: { ...body, description: 'Ours.' } })).status).toBe(200)
    const { revision: _, updatedAt: __, ...after } = (await ask(get, agentId)).body
    const { revision: ___, updatedAt: ____, ...before } = body
    expect(after).toEqual({ ...before, description: 'Ours.' })
  }
})

test('22 A9: an address that was cut for its reader is not saved', async () => {
  const { ask } = await seenBy('editor')
  for (const [agentId, config, field] of [
    ['acme', acme(cut), 'external.inputUrl'],
    ['desk', dispatcher(cut), 'chat.tools.0.url']
  ] as const) {
    const refused = { status: 422, body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } } }
    expect(await ask(create, agentId, { body: config })).toMatchObject(refused)
    expect(await ask(update, agentId, { body: config })).toMatchObject(refused)
    expect(await ask(saveDraft, agentId, { body: { config, base: 2 } })).toMatchObject({ status: 422 })
    expect((await ask(publish, agentId, { body: { base: 2 } })).status).toBe(200)
    expect(JSON.stringify((await ask(get, agentId)).body)).toContain(`${outside}/3`)
  }
})
