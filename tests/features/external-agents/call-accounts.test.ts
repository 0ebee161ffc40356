import { expect, test } from 'vitest'
import { listConnections } from '#lib/features/connections/list.ts'
import { revokeConnection } from '#lib/features/connections/revoke.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { askForAccount } from './ask-for-account.ts'

test('an external agent asks for an account, and sends requests with it that never show the credential', async () => {
  const { api, connect, fetch, ctx } = await askForAccount((response, { headers }) =>
    response.writeHead(201, { 'content-type': 'text/plain' }).end(`You sent ${headers.authorization}`)
  )
  const url = `${api.url}/items`
  expect(await fetch({ url })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await connect()).toMatchObject({
    type: 'call.settled',
    kind: 'connection',
    state: 'answered',
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  const sent = await fetch({ url, method: 'POST', body: { a: 1 } })
  expect(sent).toMatchObject({ status: 200, body: { status: 201, url, text: 'You sent Bearer ••••' } })
  const request = await api.request(0)
  expect(request).toMatchObject({ method: 'POST', body: '{"a":1}' })
  expect(request.headers.authorization).toMatch(/^Bearer ./)
  const { entries } = await listAudit(ctx, { limit: 10 })
  expect(entries.map(({ action, toolName }) => [action, toolName]).slice(0, 2)).toEqual([
    ['account.used', `POST ${api.host}`],
    ['call.opened', 'request_connection']
  ])
})

test('an account is used only at its own service, and not after it was revoked', async () => {
  const { api, agent, connect, fetch, ctx } = await askForAccount(response => response.end('ok'))
  await connect()
  expect(await fetch({ url: `${agent.url}/in` })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT', fields: { url: expect.any(String) } }
  })
  expect(await fetch({ url: `${api.url}/a`, headers: { authorization: 'x' } })).toMatchObject({ status: 422 })
  expect(await fetch({ url: `${api.url}/a` })).toMatchObject({ status: 200, body: { status: 200 } })
  const [connection] = (await listConnections(ctx)).connections
  await revokeConnection(ctx, { connectionId: connection?.connectionId ?? '' })
  expect(await fetch({ url: `${api.url}/a` })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect([api.requests.length, agent.requests.length]).toEqual([1, 1])
})
