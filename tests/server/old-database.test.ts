import postgres from 'postgres'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { databaseOf01 } from '#tests/support/servers/database-of-01.ts'

/**
 * Returns everything that a migration can create: columns, constraints, indexes, storage options, functions,
 * triggers and sequences.
 */
async function schemaOf(url: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 })
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', 'column', table_name, column_name, udt_name, is_nullable, column_default, is_identity) as line
    from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', 'options', relname, relpersistence, reloptions::text) from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all
    select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', 'sequence', sequencename, data_type) from pg_sequences where schemaname = 'public'
    order by 1`
  await sql.end()
  return rows.map(({ line }) => line)
}

test('a database of version 0.1 gets the schema of a new one, and keeps its rows', async () => {
  const fresh = await createDatabase()
  const old = await databaseOf01()
  await migrate(old)
  const [converted, created] = await Promise.all([schemaOf(old), schemaOf(fresh.url)])
  await fresh.drop()
  expect(converted.length).toBeGreaterThan(800)
  expect(converted).toEqual(created)
  const sql = postgres(old, { max: 1 })
  const sessions = await sql<{ id: string }[]>`select id from sessions where status = 'parked' order by id`
  await sql.end()
  expect(sessions.map(({ id }) => id)).toEqual(['approval', 'asked', 'clock', 'deferred'])
  await migrate(old)
})

test('a database with only some migrations of version 0.1 is rejected before anything changes', async () => {
  const url = await databaseOf01({ unfinished: true })
  const before = await schemaOf(url)
  await expect(migrate(url)).rejects.toThrow('ef5eba9d')
  expect(await schemaOf(url)).toEqual(before)
})
