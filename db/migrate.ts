import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import { runMigrations } from 'graphile-worker'
import postgres from 'postgres'

/**
 * Brings a database to this version's schema: ours, then graphile-worker's. Any number of processes may call it at
 * once; one works, the others wait (advisory lock). Within a major version migrations only expand, so that an older
 * process on the same database goes on working.
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(hashtext('waystation migrations'))`
    await applyMigrations(drizzle(sql), {
      migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url))
    })
    await runMigrations({ connectionString: url })
  } finally {
    // A connection that broke never ends by itself in the driver (postgres 3.4): it would be waited for for ever.
    await sql.end({ timeout: 1 })
  }
}
