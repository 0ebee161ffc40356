import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The number of migrations of version 0.1, and the `created_at` of the last one in drizzle's table. */
const lastOf01 = { count: 58, createdAt: 1_795_664_343_719 }

/**
 * Migrates a database to this version's schema: Waystation's, then graphile-worker's. Any number of processes can
 * call it at once: one migrates, and the others wait for its advisory lock. A database of version 0.1 is converted
 * first if it has all migrations of that version.
 *
 * Within a major version, migrations only expand the schema, so that an older process on the same database keeps
 * working.
 *
 * @throws Error if the database has the migrations of another version. It is then unchanged.
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(hashtext('waystation migrations'))`
    await convertFrom01(sql)
    await applyMigrations(drizzle(sql), { migrationsFolder })
    await runMigrations({ connectionString: url })
  } finally {
    // In the driver (postgres 3.4), a broken connection never ends by itself, so `end` without a timeout would wait
    // forever.
    await sql.end({ timeout: 1 })
  }
}

/**
 * Converts a database of version 0.1. Its 58 migrations are now one file, the baseline, which creates the same
 * schema.
 */
async function convertFrom01(sql: postgres.Sql): Promise<void> {
  const applied = await appliedMigrations(sql)
  const [baseline] = readMigrationFiles({ migrationsFolder })
  if (baseline === undefined) throw new Error('The migrations are missing from this installation.')
  if (applied.length === 0 || applied.some(({ hash }) => hash === baseline.hash)) return
  const last = applied.at(-1)
  if (applied.length !== lastOf01.count || last?.createdAt !== lastOf01.createdAt)
    throw new Error(
      `This database was made by another version of Waystation (${applied.length} migrations). Nothing was changed. ` +
        'If it is of version 0.1, start the last commit of 0.1 (ef5eba9d) once and stop it. Then start this version again.'
    )
  await sql.begin(async tx => {
    await tx.unsafe(readFileSync(new URL('./from-0.1.sql', import.meta.url), 'utf8')).simple()
    await tx`delete from drizzle.__drizzle_migrations`
    await tx`
      insert into drizzle.__drizzle_migrations (hash, created_at) values (${baseline.hash}, ${baseline.folderMillis})`
  })
}

/** Returns the migrations that were applied to the database, oldest first. */
async function appliedMigrations(sql: postgres.Sql): Promise<{ hash: string; createdAt: number }[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`
  if (table?.name === null) return []
  return sql<{ hash: string; createdAt: number }[]>`
    select hash, created_at::float8 as "createdAt" from drizzle.__drizzle_migrations order by created_at`
}
