import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** The server on which a run creates databases: its URL, and the migrated database that each of them copies. */
export type TestPostgres = { url: string; template: string }

const template = 'template_waystation'

/** Starts one Postgres without crash safety for a run, in a directory that is deleted afterwards. */
export async function startTestPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const dir = await mkdtemp(join(await fastFolder(), 'waystation-tests-'))
  const server = await startEmbeddedPostgres({ dir, database: template, durable: false })
  await migrate(server.url)
  const sql = maintenanceOf(server)
  // Postgres cannot copy a database with open connections, so forbid connections.
  await sql`alter database ${sql(template)} with allow_connections false is_template true`
  await sql.end()
  return {
    url: server.url,
    template,
    async stop() {
      await server.stop()
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  }
}

/**
 * Returns a folder in memory if Linux offers one with enough space. Each test copies a database of hundreds of
 * files, so a server starts twice as fast in memory as on a disk.
 */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm'
  const space = await statfs(memory).catch(() => undefined)
  return space !== undefined && space.bavail * space.bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/**
 * Opens a pool on the server's maintenance database. Its connections close after an idle time that is longer than
 * most tests.
 */
export const maintenanceOf = ({ url }: { url: string }): postgres.Sql =>
  postgres(databaseAt(url, 'postgres'), { max: 2, idle_timeout: 10, onnotice: () => undefined })

/** Copies a database (about 40 ms) and returns the copy's name. */
export async function copyDatabase(sql: postgres.Sql, from: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql(name)} template ${sql(from)} strategy file_copy`
  return name
}

/** Closes a database's connections and drops it. With `wait`, it waits up to 5 s until its clients have closed them. */
export async function dropDatabase(sql: postgres.Sql, name: string, { wait = false } = {}): Promise<void> {
  await sql`drop database if exists ${sql(name)} ${wait ? sql`` : sql`with (force)`}`
}

/** Returns the URL of another database on the same server. */
export function databaseAt(url: string, name: string): string {
  const target = new URL(url)
  target.pathname = `/${name}`
  return target.href
}
