import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { reencryptSecrets } from '#lib/features/connections/reencrypt.ts'
import { deleteConnection, revokeConnection } from '#lib/features/connections/revoke.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'

/** Returns a session whose account at Acme is connected. */
async function connectedSession() {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const done = session.waitForEnd()
  const browser = new Browser(server.origin)
  await connectAt(server, session, call, { browser })
  await done
  const secrets = async () => {
    const [row] = await server.sql<{ id: string; secrets: Record<string, string>; version: number }[]>`
      select id, secrets, version from connections where slug <> 'lost'`
    const { id = '', secrets: encrypted = {}, version = 0 } = row ?? {}
    const decryptAll = (vault = server.ctx.ports.vault) =>
      Object.fromEntries(
        Object.entries(encrypted).map(([field, text]) => [
          field,
          vault.decrypt(text, `connection default ${id} ${field}`)
        ])
      )
    return { id, version, sealed: encrypted, open: decryptAll }
  }
  const expire = () => server.sql`update connections set expires_at = clock_timestamp() - interval '1 hour'`
  return { ...server, browser, secrets, expire }
}

test('50 calls at once in two processes refresh an account once, although its refresh token is valid for one use', async () => {
  const server = await connectedSession()
  const { session, secrets, expire } = server
  const before = await secrets()
  await expire()
  const [sessionRow] = await server.sql<{ generation: number }[]>`
    select generation from heads where session_key = ${session.key}`
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const child = fork(
        'tests/features/connections/fetch-as-process.ts',
        [String(session.key), String(sessionRow?.generation)],
        {
          env: {
            PATH: process.env.PATH,
            NODE_ENV: 'test',
            DATABASE_URL: server.databaseUrl(),
            WAYSTATION_URL: server.origin
          }
        }
      )
      onTestFinished(() => {
        child.kill('SIGKILL')
      })
      await once(child, 'message')
      return child
    })
  )
  const statuses = await Promise.all(
    processes.map(async child => {
      const firstMessage = once(child, 'message')
      child.send('go')
      return (await firstMessage)[0] as number[]
    })
  )
  expect(statuses.flat()).toEqual(Array.from({ length: 50 }, () => 200))
  const rotatedSecrets = await secrets()
  expect(rotatedSecrets.version).toBe(before.version + 1)
  expect(rotatedSecrets.open().refreshToken).not.toBe(before.open().refreshToken)
  const refreshTokens = await server.sql`select id from sample_acme where model = 'RefreshToken'`
  expect(refreshTokens).toHaveLength(2)
})

test('an account that was revoked at its provider asks for a new connection, even during a run', async () => {
  const server = await connectedSession()
  const { session, browser, origin } = server
  const account = await browser.open(`${origin}/samples/acme/account`)
  const [, grant = ''] = /name="grant" value="([^"]+)"/.exec(account.text) ?? []
  await browser.press('/samples/acme/account', { grant, do: 'revoke' })
  const { outcome } = await session.runTurn('use acme-list-orders {}')
  expect(outcome).toBe('parked')
  const call = await waitForConnectionCall(session, 'acme-list-orders')
  expect(call.render).toMatchObject({ why: expect.stringContaining('invalid_grant') })
  expect((await listConnections(server.ctx)).connections).toMatchObject([{ state: 'needs_auth' }])
  await connectAt(server, session, call, { browser })
  await session.waitForText('Signal lamp')
  expect((await listConnections(server.ctx)).connections).toMatchObject([{ state: 'active' }])
})

test('a provider that does not respond to a refresh fails that call, and the account stays connected', async () => {
  allowErrors(/Acme, the sample provider, failed/)
  const server = await connectedSession()
  const { session, expire } = server
  await expire()
  await server.sql`update sample_acme set model = 'Elsewhere' where model = 'RefreshToken'`
  const rename = () => server.sql`update sample_acme set model = 'RefreshToken' where model = 'Elsewhere'`
  await server.sql`alter table sample_acme rename to sample_acme_away`
  const { outcome } = await session.runTurn('use acme-list-orders {}')
  await server.sql`alter table sample_acme_away rename to sample_acme`
  await rename()
  expect(outcome).toBe('done')
  expect((await listConnections(server.ctx)).connections).toMatchObject([{ state: 'active' }])
  await session.runTurn('use acme-list-orders {}')
  await session.waitForText('Signal lamp')
})

test('no secret of an account is in the database, in an event or in a message as plain text', async () => {
  const { sql, secrets, session, browser } = await connectedSession()
  await session.runTurn('use acme-list-orders {}')
  const { accessToken = '', refreshToken = '' } = (await secrets()).open()
  expect(accessToken.length).toBeGreaterThan(20)
  for (const secret of [accessToken, refreshToken]) {
    expect(await tablesWith(sql, secret)).toEqual([])
    expect(JSON.stringify(session.events)).not.toContain(secret)
  }
  expect(await tablesWith(sql, browser.cookies().replace(/^.*waystation.browser=([^;]*).*$/, '$1'))).toEqual(
    []
  )
})

test('an encrypted secret decrypts only in its own place: not in another workspace, connection or field', async () => {
  const { secrets, ctx } = await connectedSession()
  const { id, sealed: encrypted } = await secrets()
  const decryptAs = (purpose: string) => () => ctx.ports.vault.decrypt(encrypted.accessToken ?? '', purpose)
  expect(decryptAs(`connection default ${id} accessToken`)).not.toThrow()
  for (const purpose of [
    `connection other ${id} accessToken`,
    `connection default conn_other accessToken`,
    `connection default ${id} refreshToken`
  ])
    expect(decryptAs(purpose)).toThrow()
})

test('a new vault key takes over while accounts are in use, and the old one can be removed', async () => {
  const server = await connectedSession()
  const { secrets, session, ctx } = server
  const oldKey = Buffer.alloc(32).toString('base64')
  const newKey = Buffer.alloc(32, 7).toString('base64')
  const { ctx: newKeyCtx } = await server.startSecondServer({ WAYSTATION_VAULT_KEY: `${newKey},${oldKey}` })
  // A secret that was encrypted with a lost key does not block the others.
  const lostSecret = vaultWith([Buffer.alloc(32, 9).toString('base64')]).encrypt(
    'gone',
    'connection default a accessToken'
  )
  await server.sql`
    insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, secrets, connected_by,
      connected_at, updated_at)
    values ('a', 'default', 'acme', 'lost', 'workspace', '', '', 'oauth', 'active',
      ${{ accessToken: lostSecret }}::jsonb, 'Ann', now(), now())`
  const before = await secrets()
  const resealing = Promise.all([1, 2, 3].map(() => reencryptSecrets(newKeyCtx)))
  await session.runTurn('use acme-list-orders {}', { whenBusy: 'queue' })
  await resealing
  const rotatedSecrets = await secrets()
  expect(rotatedSecrets.sealed).not.toEqual(before.sealed)
  expect(rotatedSecrets.open(vaultWith([newKey]))).toEqual(before.open(ctx.ports.vault))
  expect(await revokeConnection(ctx, { connectionId: 'a' })).toEqual({
    connectionId: 'a',
    atProvider: 'unknown'
  })
})

test('changing where an integration sends its secrets ends its connections', async () => {
  const server = await connectedSession()
  await saveIntegration(server.ctx, {
    integration: 'acme',
    clientSecret: 's',
    config: {
      service: 'Acme',
      apiBase: 'https://evil.example',
      oauth: { issuer: 'https://evil.example', clientId: 'x' }
    }
  })
  const { connections } = await listConnections(server.ctx)
  expect(connections).toMatchObject([{ state: 'needs_auth', fault: expect.stringContaining('Ann') }])
  expect((await server.secrets()).sealed).toEqual({})
})

test('an account is used only in its owner’s sessions, and another workspace never finds it', async () => {
  const server = await connectedSession()
  const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk' })
  const other = await server.reopenSession(sessionId)
  const { outcome } = await other.runTurn('use acme-list-orders {}')
  expect(outcome).toBe('parked')
  expect(await waitForConnectionCall(other, 'acme-list-orders')).toMatchObject({
    render: { why: expect.any(String) }
  })
  expect((await listConnections(server.actAs('Eve', 'other'))).connections).toEqual([])
  const { id } = await server.secrets()
  await expect(deleteConnection(server.actAs('Eve', 'other'), { connectionId: id })).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
})

test('deleting a session deletes the accounts that were connected for it', async () => {
  const server = await connectedSession()
  await deleteSession(server.ctx, { sessionId: server.session.id })
  expect((await listConnections(server.ctx)).connections).toEqual([])
})
