import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** Where a run's databases are made: the server's address, and the migrated database that each of them copies. */
export type TestPostgres = { url: string; template: string }

const template = 'template_waystation'

/** Starts one Postgres for a run, in a directory that is removed afterwards, without promises about crashes. */
export async function startTestPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const dir = await mkdtemp(join(await fastFolder(), 'waystation-tests-'))
  const server = await startEmbeddedPostgres({ dir, database: template, durable: false })
  await migrate(server.url)
  const sql = maintenanceOf(server)
  // Postgres cannot copy a database that has connections: allow none.
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
 * Memory, where Linux offers enough of it as a folder. Each test copies a database of hundreds of files: in memory a
 * world takes half the time that it takes on a disk.
 */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm'
  const room = await statfs(memory).catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

/** A pool on the server's maintenance database that closes its connections when they have been idle for longer than most tests take. */
export const maintenanceOf = ({ url }: { url: string }): postgres.Sql =>
  postgres(databaseAt(url, 'postgres'), { max: 2, idle_timeout: 10, onnotice: () => undefined })

/** Copies a database (about 40 ms) and returns the copy's name. */
export async function copyDatabase(sql: postgres.Sql, from: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql(name)} template ${sql(from)} strategy file_copy`
  return name
}

/** Ends a database's connections and removes it. */
export async function dropDatabase(sql: postgres.Sql, name: string): Promise<void> {
  await sql`drop database if exists ${sql(name)} with (force)`
}

/** The address of another database on the same server. */
export function databaseAt(url: string, name: string): string {
  const there = new URL(url)
  there.pathname = `/${name}`
  return there.href
}
