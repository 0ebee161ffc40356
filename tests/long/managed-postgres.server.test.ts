import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { demo } from '#tests/support/fakes/demo.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

/**
 * Creates a database as a managed Postgres provides it: empty, with an owner that has no other privileges
 * (compose.yaml).
 */
async function managedDatabase(): Promise<string> {
  const admin = new URL(inject('postgres').url)
  admin.pathname = '/postgres'
  const sql = postgres(admin.href, { max: 1, onnotice: () => undefined })
  const name = `managed_${process.pid}`
  await sql.unsafe(`create role ${name} login password 'a-password' nosuperuser nocreatedb nocreaterole`)
  await sql.unsafe(`create database ${name} owner ${name}`)
  onTestFinished(async () => {
    await sql.unsafe(`drop database ${name} with (force)`)
    await sql.unsafe(`drop role ${name}`)
    await sql.end()
  })
  const url = new URL(admin)
  Object.assign(url, { username: name, password: 'a-password', pathname: `/${name}` })
  return url.href
}

test('a web server and a worker start together on an empty managed database, and a call parked by one is answered by the other', async () => {
  const DATABASE_URL = await managedDatabase()
  const settings = {
    DATABASE_URL,
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    WAYSTATION_LOCAL: 'off'
  }
  const [web, worker] = await Promise.all(
    ['web', 'worker'].map(WAYSTATION_ROLE => startServer({ ...settings, WAYSTATION_ROLE }))
  )
  onTestFinished(async () => void (await Promise.all([web?.stop(), worker?.stop()])))
  const client = createApiClient(web!)
  await client.create('guide', 'tea')
  await client.post('/sessions/tea/messages', { text: demo.askToChoose('tea', 'coffee') })
  const parked = await client.until('tea', 'parked')
  const call = parked.session?.waitingFor[0]
  await client.post(`/sessions/tea/calls/${call?.toolCallId}/answer`, { output: { answer: 'tea' } })
  await client.until('tea', 'idle')

  const sql = postgres(DATABASE_URL, { max: 1 })
  onTestFinished(() => sql.end())
  expect(await sql`select extname from pg_extension`).toEqual([{ extname: 'plpgsql' }])
  expect(
    await sql`select rolsuper, rolcreatedb, rolcreaterole, rolreplication from pg_roles where rolname = current_user`
  ).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false }])
}, 120_000)
