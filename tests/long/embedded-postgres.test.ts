import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { birthOf } from '#scripts/postgres/processes.ts'
import {
  acquirePort,
  dir,
  lastPid,
  pidOf,
  query,
  start,
  startElsewhere,
  withEmbeddedPostgres
} from '#tests/support/servers/embedded-postgres.ts'

withEmbeddedPostgres()

test('by default, a commit is on disk before it is acknowledged', async () => {
  const { url } = await start({ durable: true })
  const settings = await query(
    url,
    sql => sql`select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name`
  )
  expect(settings.map(row => `${row.name} ${row.setting}`)).toEqual([
    'fsync on',
    'full_page_writes on',
    'synchronous_commit on'
  ])
})

test('a killed server whose port is taken waits for that port, because its clients know no other', async () => {
  const { url } = await start()
  process.kill(await pidOf(), 'SIGKILL')
  const blocker = await acquirePort(Number(new URL(url).port))
  await expect
    .poll(() => readFile(join(dir, 'server.log'), 'utf8'), { timeout: 20_000 })
    .toContain('could not bind')
  blocker.close()
  await expect
    .poll(() => query(url, sql => sql`select 1 as n`).catch(() => []), { timeout: 20_000 })
    .toEqual([{ n: 1 }])
})

test('a server that fails to start is retried until it starts', async () => {
  const { url } = await start()
  const settings = join(dir, 'data', 'postgresql.auto.conf')
  const original = await readFile(settings, 'utf8')
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => logged.mockRestore())
  await writeFile(settings, 'no such setting')
  process.kill(await lastPid(), 'SIGKILL')
  await expect.poll(() => logged.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(logged.mock.calls[0]?.[0]).toContain('The embedded Postgres did not start. Next attempt in')
  await writeFile(settings, original)
  await expect
    .poll(() => query(url, sql => sql`select 1 as n`).catch(() => []), { timeout: 30_000 })
    .toEqual([{ n: 1 }])
}, 90_000)

test('if a starter is killed, the next one uses its server and stops it in the end', async () => {
  const { child, url } = await startElsewhere()
  const pid = await pidOf()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(birthOf(pid), 'the server outlives its starter').toBeDefined()

  const next = await start()
  expect(next).toMatchObject({ url, reused: true })
  expect(await pidOf()).toBe(pid)
  await next.stop()
  expect(birthOf(pid)).toBeUndefined()
})

test('if starter and server are both killed, the next start recovers even while the server is a zombie process', async () => {
  const { child } = await startElsewhere()
  const pid = await pidOf()
  // A suspended starter does not reap its child, so the killed server stays in the process table.
  child.kill('SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toContain(') T ')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => birthOf(pid)).toBeUndefined()
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')

  const { url } = await start()
  expect(await pidOf()).not.toBe(pid)
  expect(await query(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('an unrelated process that got the process ID of the dead server does not prevent a start', async () => {
  const { child } = await startElsewhere()
  const pid = await pidOf()
  const pidFile = readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8')
  child.kill('SIGTERM')
  await once(child, 'exit')
  await writeFile(join(dir, 'data', 'postmaster.pid'), pidFile.replace(String(pid), String(process.ppid)))

  const { url } = await start()
  expect(await query(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(birthOf(process.ppid)).toBeDefined()
})

test('an interrupted first start leaves nothing that disturbs the next one', async () => {
  await rm(dir, { recursive: true })
  await mkdir(join(dir, 'data.new', 'base'), { recursive: true })
  await writeFile(join(dir, 'data.new', 'PG_VERSION'), '18\n')
  const { url } = await start()
  expect(await query(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(existsSync(join(dir, 'data.new'))).toBe(false)
})

test('files of another major version are rejected with advice and not changed', async () => {
  const data = join(dir, 'data')
  await rm(data, { recursive: true })
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'PG_VERSION'), '17\n')
  const before = await stat(data)
  await expect(start()).rejects.toThrow(
    /created by Postgres 17.*Nothing was changed.*DATABASE_URL.*WAYSTATION_DATA_DIR/
  )
  expect(readdirSync(data)).toEqual(['PG_VERSION'])
  expect((await stat(data)).mtimeMs).toBe(before.mtimeMs)
})

test('a directory with other files is rejected and not changed', async () => {
  const data = join(dir, 'data')
  await rm(data, { recursive: true })
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'thesis.doc'), 'years of work')
  await expect(start()).rejects.toThrow(/contains files, but no database/)
  expect(readdirSync(data)).toEqual(['thesis.doc'])
})

test('if the server cannot start, the error contains its own message', async () => {
  await writeFile(join(dir, 'data', 'postgresql.conf'), 'no_such_setting = 1\n')
  await expect(start()).rejects.toThrow(/Postgres did not start.*no_such_setting/s)
})
