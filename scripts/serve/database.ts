import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Env } from '#lib/kernel/settings/env.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** Older major versions lack features that our SQL uses. */
const OLDEST = 15

/** The database of the server. `stop` stops only the embedded Postgres. */
export type Database = { url: string; stop(): Promise<void> }

/**
 * Opens the Postgres of `DATABASE_URL` after checking its connection and version, or else the embedded one. Throws
 * an error with advice.
 */
export async function openDatabase(env: Env): Promise<Database> {
  if (!env.databaseUrl) return startEmbeddedPostgres({ dir: join(env.dataDir, 'postgres') })
  await check(env.databaseUrl)
  return { url: env.databaseUrl, stop: async () => undefined }
}

/**
 * Checks the connection and the version. Retries for 5 s, because a Postgres in another container can still be
 * starting.
 */
async function check(url: string) {
  const host = new URL(url).host
  const deadline = performance.now() + 5_000
  for (;;) {
    const version = await askVersion(url)
    if (typeof version === 'number') {
      if (version >= OLDEST) return
      throw new Error(
        `The database at ${host} is Postgres ${version}. Waystation needs Postgres ${OLDEST} or newer.`
      )
    }
    if (performance.now() > deadline || !isTransient(version))
      throw new Error(
        `Cannot connect to the database in DATABASE_URL (${host}): ${version.message || version.code}. ` +
          'Check its address, user and password, or unset DATABASE_URL to use the embedded database.'
      )
    await pause(500)
  }
}

type ConnectError = Error & { code?: string }

async function askVersion(url: string): Promise<number | ConnectError> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const [row] = await sql`select current_setting('server_version_num')::int / 10000 as major`
    return Number(row?.major)
  } catch (error) {
    return error as ConnectError
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Returns true if no server listens yet or the server is starting (SQLSTATE 57P03). */
function isTransient({ code }: ConnectError) {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT', '57P03'].includes(code ?? '')
}
