import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Env } from '#lib/kernel/settings/env.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

/** Older ones lack what our SQL uses. */
const OLDEST = 15

export type Database = { url: string; stop(): Promise<void> }

/** The Postgres of `DATABASE_URL`, seen to answer; else the embedded one. Throws a sentence with advice. */
export async function openDatabase(env: Env): Promise<Database> {
  if (!env.databaseUrl) return startEmbeddedPostgres({ dir: join(env.dataDir, 'postgres') })
  await check(env.databaseUrl)
  return { url: env.databaseUrl, stop: async () => undefined }
}

/** Gives a Postgres that is just starting (in another container, say) a few seconds. */
async function check(url: string) {
  const where = new URL(url).host
  const until = performance.now() + 5_000
  for (;;) {
    const answer = await askVersion(url)
    if (typeof answer === 'number') {
      if (answer >= OLDEST) return
      throw new Error(
        `The database at ${where} is Postgres ${answer}. Waystation needs Postgres ${OLDEST} or newer.`
      )
    }
    if (performance.now() > until || !mayPass(answer))
      throw new Error(
        `Cannot connect to the database in DATABASE_URL (${where}): ${answer.message || answer.code}. ` +
          'Check its address, user and password, or unset DATABASE_URL to use the embedded database.'
      )
    await pause(500)
  }
}

type Refused = Error & { code?: string }

async function askVersion(url: string): Promise<number | Refused> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    const [row] = await sql`select current_setting('server_version_num')::int / 10000 as major`
    return Number(row?.major)
  } catch (error) {
    return error as Refused
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Nobody listens yet, or the server is starting up (SQLSTATE 57P03). */
function mayPass({ code }: Refused) {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT', '57P03'].includes(code ?? '')
}
