import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type RunningPostgres, startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { birthOf } from '#scripts/postgres/processes.ts'

let made: string
let dir: string
let servers: RunningPostgres[]

/** Making the files of a database takes a second: most tests get a copy of one that ran before. */
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'waystation-postgres-'))
  await (await startEmbeddedPostgres({ dir: made, durable: false })).stop()
})
afterAll(() => rm(made, { recursive: true }))

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'waystation-postgres-')), 'pg')
  servers = []
  await cp(made, dir, { recursive: true })
})
afterEach(async () => {
  for (const server of servers) await server.stop()
  await rm(join(dir, '..'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test('what was written is there after a stop and a start, at the same address', async () => {
  const first = await start()
  await ask(first.url, sql => sql`create table note (words text)`)
  await ask(first.url, sql => sql`insert into note values ('kept')`)
  await first.stop()
  expect(birthOf(await lastPid())).toBeUndefined()

  const second = await start()
  expect(second).toMatchObject({ url: first.url, reused: false })
  expect(await ask(second.url, sql => sql`select words from note`)).toEqual([{ words: 'kept' }])
})

test('by default a commit is on disk before it is answered', async () => {
  const { url } = await start({ durable: true })
  const settings = await ask(
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

test('only this machine can reach it, only with the password, and the password is for its owner alone', async () => {
  const { url } = await start()
  const [listen] = await ask(url, sql => sql`show listen_addresses`)
  expect(listen?.listen_addresses).toBe('127.0.0.1')
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(ask(wrong.href, sql => sql`select 1`)).rejects.toThrow(/password authentication failed/)
  expect((await stat(join(dir, 'password'))).mode & 0o777).toBe(0o600)
})

test('a killed server is started again on the same port, and what was committed is there', async () => {
  const { url } = await start({ durable: true })
  await ask(url, sql => sql`create table note (words text)`)
  await ask(url, sql => sql`insert into note values ('committed')`)
  const killed = await pidOf()
  process.kill(killed, 'SIGKILL')
  await expect.poll(pidOf, { timeout: 20_000 }).not.toBe(killed)
  await expect
    .poll(() => ask(url, sql => sql`select words from note`).catch(() => []), { timeout: 20_000 })
    .toEqual([{ words: 'committed' }])
})

test('a killed server whose port is taken meanwhile waits for it: those who know it look for it nowhere else', async () => {
  const { url } = await start()
  process.kill(await pidOf(), 'SIGKILL')
  const taker = await take(Number(new URL(url).port))
  await expect
    .poll(() => readFile(join(dir, 'server.log'), 'utf8'), { timeout: 20_000 })
    .toContain('could not bind')
  taker.close()
  await expect
    .poll(() => ask(url, sql => sql`select 1 as n`).catch(() => []), { timeout: 20_000 })
    .toEqual([{ n: 1 }])
})

test('a server that does not come up at once, as one that is killed while it starts, is tried until it does', async () => {
  const { url } = await start()
  const settings = join(dir, 'data', 'postgresql.auto.conf')
  const good = await readFile(settings, 'utf8')
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => said.mockRestore())
  await writeFile(settings, 'no such setting')
  process.kill(await lastPid(), 'SIGKILL')
  await expect.poll(() => said.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(said.mock.calls[0]?.[0]).toContain('The embedded Postgres did not start; the next try is in')
  await writeFile(settings, good)
  await expect
    .poll(() => ask(url, sql => sql`select 1 as n`).catch(() => []), { timeout: 30_000 })
    .toEqual([{ n: 1 }])
}, 90_000)

test('the server of a killed starter is joined by the next one, who takes it down when it stops', async () => {
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

test('starter and server both killed: the next start recovers, though the server is a zombie', async () => {
  const { child } = await startElsewhere()
  const pid = await pidOf()
  // Stopped, the starter does not reap its child: the killed server stays in the process table.
  child.kill('SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toContain(') T ')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => birthOf(pid)).toBeUndefined()
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')

  const { url } = await start()
  expect(await pidOf()).not.toBe(pid)
  expect(await ask(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('a stranger that got the dead server’s process ID does not keep it from starting', async () => {
  const { child } = await startElsewhere()
  const pid = await pidOf()
  const note = readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8')
  child.kill('SIGTERM')
  await once(child, 'exit')
  await writeFile(join(dir, 'data', 'postmaster.pid'), note.replace(String(pid), String(process.ppid)))

  const { url } = await start()
  expect(await ask(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(birthOf(process.ppid)).toBeDefined()
})

test('an interrupted first start leaves nothing that the next one stumbles over', async () => {
  await rm(dir, { recursive: true })
  await mkdir(join(dir, 'data.new', 'base'), { recursive: true })
  await writeFile(join(dir, 'data.new', 'PG_VERSION'), '18\n')
  const { url } = await start()
  expect(await ask(url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  expect(existsSync(join(dir, 'data.new'))).toBe(false)
})

test('files of another major version are refused with advice and not touched', async () => {
  const data = join(dir, 'data')
  await rm(data, { recursive: true })
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'PG_VERSION'), '17\n')
  const before = await stat(data)
  await expect(start()).rejects.toThrow(
    /made by Postgres 17.*Nothing was touched.*DATABASE_URL.*WAYSTATION_DATA_DIR/
  )
  expect(readdirSync(data)).toEqual(['PG_VERSION'])
  expect((await stat(data)).mtimeMs).toBe(before.mtimeMs)
})

test('a directory that is no database is refused and not touched', async () => {
  const data = join(dir, 'data')
  await rm(data, { recursive: true })
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'thesis.doc'), 'years of work')
  await expect(start()).rejects.toThrow(/holds files, but no database/)
  expect(readdirSync(data)).toEqual(['thesis.doc'])
})

test('a server that gives up is reported in its own words', async () => {
  await writeFile(join(dir, 'data', 'postgresql.conf'), 'no_such_setting = 1\n')
  await expect(start()).rejects.toThrow(/Postgres did not start.*no_such_setting/s)
})

test('five that start at once, in two processes, share one server, which runs until the last has stopped', async () => {
  await rm(dir, { recursive: true })
  const [elsewhere, ...here] = await Promise.all([startElsewhere(), start(), start(), start(), start()])
  expect(new Set([elsewhere.url, ...here.map(({ url }) => url)]).size).toBe(1)
  expect([elsewhere, ...here].filter(({ reused }) => !reused)).toHaveLength(1)
  const pid = await pidOf()

  for (const server of here) await server.stop()
  expect(await ask(elsewhere.url, sql => sql`select 1 as one`)).toEqual([{ one: 1 }])
  elsewhere.child.kill('SIGTERM')
  await once(elsewhere.child, 'exit')
  expect(birthOf(pid)).toBeUndefined()
})

let pid: number

async function start({ durable = false } = {}) {
  const server = await startEmbeddedPostgres({ dir, durable })
  servers.push(server)
  await pidOf()
  return server
}

async function startElsewhere(): Promise<{ child: ChildProcess; url: string; reused: boolean }> {
  const script = fileURLToPath(new URL('keep-postgres.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(line) }
}

/** The server's process, remembered for when its note is gone. */
async function pidOf() {
  pid = Number.parseInt(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8'), 10)
  return pid
}

async function lastPid() {
  return pid
}

async function ask(
  url: string,
  question: (sql: postgres.Sql) => PromiseLike<postgres.RowList<postgres.Row[]>>
) {
  const sql = postgres(url, { max: 1, connect_timeout: 3, onnotice: () => undefined })
  try {
    return await question(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Listens on this port as soon as nobody else does. */
async function take(port: number): Promise<Server> {
  for (;;) {
    const server = createServer(socket => socket.destroy())
    const listens = await new Promise(done => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    if (listens) return server
  }
}
