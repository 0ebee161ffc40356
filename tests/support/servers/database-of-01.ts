import { readFileSync } from 'node:fs'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { createDatabase } from '#tests/support/servers/database.ts'

/**
 * Creates a database like version 0.1 left it, with four parked sessions: `asked`, `approval`, `clock` and
 * `deferred`. Drops it when the test ends. With `unfinished`, it has only the first six migrations.
 *
 * @returns its URL
 */
export async function databaseOf01({ unfinished = false } = {}): Promise<string> {
  const { url, dropWhenClosed } = await createDatabase({ bare: true })
  onTestFinished(dropWhenClosed)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const load = (file: string) =>
    sql.unsafe(readFileSync(`tests/support/fixtures/0.1/${file}`, 'utf8')).simple()
  await load('migrations-1-to-6.sql')
  await runMigrations({ connectionString: url })
  await load('parked.sql')
  if (!unfinished) await load('migrations-7-to-58.sql')
  await load('applied.sql')
  if (unfinished) await sql`delete from drizzle.__drizzle_migrations where id > 6`
  await sql.end()
  return url
}
