import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { resealConnections } from '#lib/features/connections/reseal.ts'
import { deleteConnection, revokeConnection } from '#lib/features/connections/revoke.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { connectAt, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { tablesWith } from '#tests/support/worlds/lived-session.ts'

/** A session whose account at Acme is connected. */
async function connected() {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const done = session.ends()
  const browser = new Browser(world.origin)
  await connectAt(world, session, call, { browser })
  await done
  const secrets = async () => {
    const [row] = await world.sql<{ id: string; secrets: Record<string, string>; version: number }[]>`
      select id, secrets, version from connections where slug <> 'lost'`
    const { id = '', secrets: sealed = {}, version = 0 } = row ?? {}
    const open = (vault = world.ctx.ports.vault) =>
      Object.fromEntries(
        Object.entries(sealed).map(([field, text]) => [
          field,
          vault.open(text, `connection default ${id} ${field}`)
        ])
      )
    return { id, version, sealed, open }
  }
  const expire = () => world.sql`update connections set expires_at = clock_timestamp() - interval '1 hour'`
  return { ...world, browser, secrets, expire }
}

test('50 calls at once in two processes renew an account once, though its refresh token is good for one use', async () => {
  const world = await connected()
  const { session, secrets, expire } = world
  const before = await secrets()
  await expire()
  const [head] = await world.sql<{ generation: number }[]>`
    select generation from heads where session_key = ${session.key}`
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const child = fork(
        'tests/features/connections/fetch-as-process.ts',
        [String(session.key), String(head?.generation)],
        {
          env: {
            PATH: process.env.PATH,
            NODE_ENV: 'test',
            DATABASE_URL: world.databaseUrl(),
            WAYSTATION_URL: world.origin
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
      const told = once(child, 'message')
      child.send('go')
      return (await told)[0] as number[]
    })
  )
  expect(statuses.flat()).toEqual(Array.from({ length: 50 }, () => 200))
  const after = await secrets()
  expect(after.version).toBe(before.version + 1)
  expect(after.open().refreshToken).not.toBe(before.open().refreshToken)
  const issued = await world.sql`select id from sample_acme where model = 'RefreshToken'`
  expect(issued).toHaveLength(2)
})

test('an account that was revoked at its provider asks to be connected again, in the middle of a run', async () => {
  const world = await connected()
  const { session, browser, origin } = world
  const account = await browser.open(`${origin}/samples/acme/account`)
  const [, grant = ''] = /name="grant" value="([^"]+)"/.exec(account.text) ?? []
  await browser.press('/samples/acme/account', { grant, do: 'revoke' })
  const { outcome } = await session.says('use acme-list-orders {}')
  expect(outcome).toBe('parked')
  const call = await lacks(session, 'acme-list-orders')
  expect(call.render).toMatchObject({ why: expect.stringContaining('invalid_grant') })
  expect((await listConnections(world.ctx)).connections).toMatchObject([{ state: 'needs_auth' }])
  await connectAt(world, session, call, { browser })
  await session.reads('Signal lamp')
  expect((await listConnections(world.ctx)).connections).toMatchObject([{ state: 'active' }])
})

test('a provider that does not answer while an account is renewed fails that call, and nothing is over', async () => {
  allowErrors(/Acme, the sample provider, failed/)
  const world = await connected()
  const { session, expire } = world
  await expire()
  await world.sql`update sample_acme set model = 'Elsewhere' where model = 'RefreshToken'`
  const rename = () => world.sql`update sample_acme set model = 'RefreshToken' where model = 'Elsewhere'`
  await world.sql`alter table sample_acme rename to sample_acme_away`
  const { outcome } = await session.says('use acme-list-orders {}')
  await world.sql`alter table sample_acme_away rename to sample_acme`
  await rename()
  expect(outcome).toBe('done')
  expect((await listConnections(world.ctx)).connections).toMatchObject([{ state: 'active' }])
  await session.says('use acme-list-orders {}')
  await session.reads('Signal lamp')
})

test('no secret of an account stands anywhere in the database, in no event and no message', async () => {
  const { sql, secrets, session, browser } = await connected()
  await session.says('use acme-list-orders {}')
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

test('a sealed secret opens in its own place only: not in another workspace, connection or field', async () => {
  const { secrets, ctx } = await connected()
  const { id, sealed } = await secrets()
  const open = (purpose: string) => () => ctx.ports.vault.open(sealed.accessToken ?? '', purpose)
  expect(open(`connection default ${id} accessToken`)).not.toThrow()
  for (const purpose of [
    `connection other ${id} accessToken`,
    `connection default conn_other accessToken`,
    `connection default ${id} refreshToken`
  ])
    expect(open(purpose)).toThrow()
})

test('a new key of the vault takes over while accounts are in use, and the old one can go', async () => {
  const world = await connected()
  const { secrets, session, ctx } = world
  const old = Buffer.alloc(32).toString('base64')
  const fresh = Buffer.alloc(32, 7).toString('base64')
  const { ctx: later } = await world.second({ WAYSTATION_VAULT_KEY: `${fresh},${old}` })
  // What a key that is lost had sealed holds nothing up.
  const lost = vaultWith([Buffer.alloc(32, 9).toString('base64')]).seal(
    'gone',
    'connection default a accessToken'
  )
  await world.sql`
    insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, secrets, connected_by,
      connected_at, updated_at)
    values ('a', 'default', 'acme', 'lost', 'workspace', '', '', 'oauth', 'active',
      ${{ accessToken: lost }}::jsonb, 'Ann', now(), now())`
  const before = await secrets()
  const using = Promise.all([1, 2, 3].map(() => resealConnections(later)))
  await session.says('use acme-list-orders {}', { whenBusy: 'queue' })
  await using
  const after = await secrets()
  expect(after.sealed).not.toEqual(before.sealed)
  expect(after.open(vaultWith([fresh]))).toEqual(before.open(ctx.ports.vault))
  expect(await revokeConnection(ctx, { connectionId: 'a' })).toEqual({
    connectionId: 'a',
    atProvider: 'unknown'
  })
})

test('whoever changes where the secrets of an integration go, ends what was connected there', async () => {
  const world = await connected()
  await saveIntegration(world.ctx, {
    integration: 'acme',
    clientSecret: 's',
    config: {
      service: 'Acme',
      apiBase: 'https://evil.example',
      oauth: { issuer: 'https://evil.example', clientId: 'x' }
    }
  })
  const { connections } = await listConnections(world.ctx)
  expect(connections).toMatchObject([{ state: 'needs_auth', fault: expect.stringContaining('Ann') }])
  expect((await world.secrets()).sealed).toEqual({})
})

test('an account is used in the sessions of its owner alone, and another workspace never finds it', async () => {
  const world = await connected()
  const { sessionId } = await createSession(world.ctx, { agentId: 'acme-clerk' })
  const other = await world.reopen(sessionId)
  const { outcome } = await other.says('use acme-list-orders {}')
  expect(outcome).toBe('parked')
  expect(await lacks(other, 'acme-list-orders')).toMatchObject({
    render: { why: expect.any(String) }
  })
  expect((await listConnections(world.as('Eve', 'other'))).connections).toEqual([])
  const { id } = await world.secrets()
  await expect(deleteConnection(world.as('Eve', 'other'), { connectionId: id })).rejects.toMatchObject({
    code: 'NOT_FOUND'
  })
})

test('a deleted session takes the accounts along that were connected for it', async () => {
  const world = await connected()
  await deleteSession(world.ctx, { sessionId: world.session.id })
  expect((await listConnections(world.ctx)).connections).toEqual([])
})
