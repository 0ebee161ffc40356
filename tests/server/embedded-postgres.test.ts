import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { birthOf } from '#scripts/postgres/processes.ts'
import {
  dir,
  lastPid,
  pidOf,
  query,
  start,
  startElsewhere,
  withEmbeddedPostgres
} from '#tests/support/servers/embedded-postgres.ts'

withEmbeddedPostgres()

test('data survives a stop and a start, and the URL stays the same', async () => {
  const first = await start()
  await query(first.url, sql => sql`create table note (words text)`)
  await query(first.url, sql => sql`insert into note values ('kept')`)
  await first.stop()
  expect(birthOf(await lastPid())).toBeUndefined()

  const second = await start()
  expect(second).toMatchObject({ url: first.url, reused: false })
  expect(await query(second.url, sql => sql`select words from note`)).toEqual([{ words: 'kept' }])
})

test('only this machine can connect, only with the password, and only the owner can read the password file', async () => {
  // A cluster that is not durable needs no password.
  await rm(dir, { recursive: true })
  const { url } = await start({ durable: true })
  const [listen] = await query(url, sql => sql`show listen_addresses`)
  expect(listen?.listen_addresses).toBe('127.0.0.1')
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, sql => sql`select 1`)).rejects.toThrow(/password authentication failed/)
  expect((await stat(join(dir, 'password'))).mode & 0o777).toBe(0o600)
})

test('a killed server restarts on the same port with all committed data', async () => {
  const { url } = await start({ durable: true })
  await query(url, sql => sql`create table note (words text)`)
  await query(url, sql => sql`insert into note values ('committed')`)
  const killed = await pidOf()
  process.kill(killed, 'SIGKILL')
  await expect.poll(pidOf).not.toBe(killed)
  await expect
    .poll(() => query(url, sql => sql`select words from note`).catch(() => []))
    .toEqual([{ words: 'committed' }])
})

test('22 B6: a process that exits without stopping the server stops it, unless the server is in use', async () => {
  const elsewhere = await startElsewhere()
  const pid = await pidOf()
  const here = await start()
  elsewhere.child.kill('SIGINT')
  await once(elsewhere.child, 'exit')
  expect(await query(here.url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  await here.stop()
  expect(birthOf(pid)).toBeUndefined()

  const { child } = await startElsewhere()
  const next = await pidOf()
  child.kill('SIGINT')
  await once(child, 'exit')
  await expect.poll(() => birthOf(next)).toBeUndefined()
})

test('five starts at once, in two processes, share one server, which runs until the last one stops', async () => {
  await rm(dir, { recursive: true })
  const [elsewhere, ...here] = await Promise.all([startElsewhere(), start(), start(), start(), start()])
  expect(new Set([elsewhere.url, ...here.map(({ url }) => url)]).size).toBe(1)
  expect([elsewhere, ...here].filter(({ reused }) => !reused)).toHaveLength(1)
  const pid = await pidOf()

  for (const server of here) await server.stop()
  expect(await query(elsewhere.url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  elsewhere.child.kill('SIGTERM')
  await once(elsewhere.child, 'exit')
  expect(birthOf(pid)).toBeUndefined()
})
