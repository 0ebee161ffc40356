import { connect } from '#db/client.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { storeSignIn } from '#tests/support/servers/sign-in-cookie.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'
import {
  copyDatabase,
  databaseAt,
  dropDatabase,
  maintenanceOf,
  type TestPostgres
} from '#tests/support/servers/test-postgres.ts'

/** The claims in the cookie of the local owner on each worker's server. */
export const workerSignIn = { sub: localOwner.id, sid: 'signin_of_every_test' }

/** The server of a worker and its database. */
export type WorkerServer = ServerProcess & { databaseUrl: string }

/**
 * Starts a server like `startServerOnCopy`, with the local owner as a member and signed in, so that a cookie is
 * enough.
 */
export async function startWorkerServer(settings: Record<string, string>): Promise<WorkerServer> {
  const server = await startServerOnCopy(settings)
  const sql = connect(server.databaseUrl, { max: 1 })
  await sql`insert into users (id, name) values (${localOwner.id}, ${localOwner.name})`
  await sql`insert into members (workspace_id, user_id, role) values ('default', ${localOwner.id}, 'owner')`
  await storeSignIn(sql, localOwner.id, workerSignIn.sid)
  await sql.end()
  return server
}

/** Starts a server without users on a new database in the Postgres of the run. `stop` also deletes the database. */
export async function startServerOnCopy(settings: Record<string, string>): Promise<WorkerServer> {
  const run = JSON.parse(process.env.WAYSTATION_TEST_POSTGRES ?? '{}') as TestPostgres
  const maintenance = maintenanceOf(run)
  const name = await copyDatabase(maintenance, run.template)
  const url = databaseAt(run.url, name)
  const server = await startServer({ DATABASE_URL: url, ...settings })
  return {
    ...server,
    databaseUrl: url,
    async stop() {
      await server.stop()
      await dropDatabase(maintenance, name)
      await maintenance.end()
    }
  }
}
