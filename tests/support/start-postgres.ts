import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** The migrated database that every test database is a copy of. */
const TEMPLATE = 'template_waystation'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `tests/support/database.ts` makes databases, and what it copies. */
    postgres: { url: string; template: string }
  }
}

/** Vitest's global set-up: one Postgres per run in a directory that is thrown away, without promises about crashes. */
export default async function startPostgres({ provide }: TestProject) {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-tests-'))
  const server = await startEmbeddedPostgres({ dir, database: TEMPLATE, durable: false })
  await migrate(server.url)
  await closeTemplate(server.url)
  provide('postgres', { url: server.url, template: TEMPLATE })
  return async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** A database with guests cannot be copied: let nobody in, by mistake or otherwise. */
async function closeTemplate(url: string) {
  const sql = postgres(maintenance(url), { max: 1 })
  await sql`alter database ${sql(TEMPLATE)} with allow_connections false is_template true`
  await sql.end()
}

function maintenance(url: string) {
  return url.replace(/\/[^/]*$/, '/postgres')
}
