import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'

/**
 * The version that `fixtures/parked.sql` is of: the last commit before the migration `0006_session_tokens` came. Throws
 * where the history does not go back that far, so that a shallow clone does not pass for a whole one.
 */
export function olderVersion(): string {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'db/migrations/0006_session_tokens.sql')
  const [older] = added.length === 0 ? [] : git('rev-parse', '--verify', '--quiet', `${added.at(-1)}^`)
  if (older !== undefined) return older
  throw new Error('The older version is not in the git history. Run `git fetch --unshallow` and test again.')
}

/** Unpacks that version's server into an empty directory. It runs on the packages that this version has installed. */
export function unpack(commit: string, directory: string): void {
  const folders = ['package.json', 'lib', 'db', 'scripts', 'tests/chaos']
  const tar = execFileSync('git', ['archive', commit, ...folders], { maxBuffer: 1 << 28 })
  execFileSync('tar', ['-x', '-C', directory], { input: tar })
  symlinkSync(resolve('node_modules'), resolve(directory, 'node_modules'))
}

/** Makes the schema of that version in an empty database: its migrations, and no later ones. */
export async function migrateAsOlder(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-older-'))
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    cpSync('db/migrations', folder, { recursive: true })
    const file = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] }
    const next = journal.entries.findIndex(({ tag }) => tag === '0006_session_tokens')
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, next) }))
    await migrate(drizzle(sql), { migrationsFolder: folder })
    await runMigrations({ connectionString: url })
  } finally {
    await sql.end()
    rmSync(folder, { recursive: true })
  }
}

/** Puts the rows in that the older version left: `fixtures/parked.sql`. */
export async function loadParked(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(readFileSync('tests/long/scale/fixtures/parked.sql', 'utf8')).simple()
  await sql.end()
}

/** A worker of that version, as a process of its own. It ends with its test at the latest. */
export async function startOlderWorker(commit: string, databaseUrl: string) {
  const directory = mkdtempSync(join(tmpdir(), 'waystation-older-'))
  unpack(commit, directory)
  const child = spawn(process.execPath, ['tests/chaos/worker.ts'], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: databaseUrl,
      WAYSTATION_ROLE: 'worker',
      WAYSTATION_DATA_DIR: join(directory, 'files')
    },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const ended = once(child, 'exit') as Promise<[code: number | null]>
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!ready) throw new Error(`The older worker did not start:\n${complaints}`)
  return {
    /** What it wrote on standard error. */
    complaints: () => complaints,
    /** SIGTERM, and its exit code. */
    async stop() {
      child.kill('SIGTERM')
      return (await ended)[0]
    }
  }
}

function git(...args: string[]): string[] {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}
