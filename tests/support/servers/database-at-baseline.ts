import { readFileSync } from 'node:fs'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { createDatabase } from '#tests/support/servers/database.ts'

type Dump = { at: string; rows: Record<string, object[]> }

/**
 * Creates a database with only the baseline migration and four parked sessions: `asked`, `approval`, `clock` and
 * `deferred`. Drops it when the test ends.
 *
 * @returns its URL
 */
export async function databaseAtBaseline(): Promise<string> {
  const { url, dropWhenClosed } = await createDatabase({ bare: true })
  onTestFinished(dropWhenClosed)
  const sql = postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { session_replication_role: 'replica' }
  })
  const [baseline] = readMigrationFiles({ migrationsFolder: 'db/migrations' })
  if (baseline === undefined) throw new Error('There is no baseline migration.')
  for (const statement of baseline.sql) await sql.unsafe(statement)
  await runMigrations({ connectionString: url })
  await sql`create schema if not exists drizzle`
  await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  await sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${baseline.hash}, ${baseline.folderMillis})`

  const { at, rows }: Dump = JSON.parse(readFileSync('tests/support/fixtures/baseline/parked.json', 'utf8'))
  for (const [table, tableRows] of Object.entries(rows))
    await sql`
      insert into ${sql(table)} overriding system value
      select * from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(tableRows)}::text::json)`
  const times = await sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone'`
  for (const { name, column } of times)
    await sql`update ${sql(name)} set ${sql(column)} = ${sql(column)} + (clock_timestamp() - ${at}::timestamptz)`
  await sql`
    select setval(pg_get_serial_sequence(table_name, column_name), 1000) from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`
  await sql.end()
  return url
}
