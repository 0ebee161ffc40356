import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Pool } from '#db/client.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { type ModelScript, type OpenAIServer, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { createApiClient } from '#tests/support/servers/api-client.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

/** A process of `server.ts` with its API client. `worker` is the ID of its row in `workers`, if it is a worker. */
export type Member = ServerProcess & ReturnType<typeof createApiClient> & { worker?: string }

/** Two web servers and two workers, as processes, with one Postgres and one model. */
export type Fleet = {
  webs: [Member, Member]
  workers: [Member, Member]
  model: OpenAIServer
  /** A direct connection to the database. */
  sql: Pool
  stop(): Promise<void>
}

/** Starts a fleet. The model answers "Hello." until a test gives it a script. */
export async function startFleet(settings: Record<string, string> = {}): Promise<Fleet> {
  await using up = new AsyncDisposableStack()
  const database = await createDatabase()
  up.defer(() => database.drop())
  const model = up.use(await startOpenAIServer({ script: (() => replyText('Hello.')) satisfies ModelScript }))
  const sql = connect(database.url, { max: 2 })
  up.defer(() => sql.end({ timeout: 1 }))
  const members: ServerProcess[] = []
  up.defer(async () => void (await Promise.all(members.map(server => server.stop()))))
  const start = async (role: 'web' | 'worker'): Promise<Member> => {
    const server = await startServer({
      DATABASE_URL: database.url,
      WAYSTATION_ROLE: role,
      WAYSTATION_LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(tmpdir(), 'waystation-compile-cache'),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
      ...settings
    })
    members.push(server)
    return { ...server, ...createApiClient(server) }
  }
  const rows = async () => (await sql<{ id: string }[]>`select id from workers`).map(({ id }) => id)
  // The workers start one after the other, so that each row belongs to a known process.
  const first = await start('worker')
  const [firstId] = await rows()
  const [second, ...webs] = await Promise.all([start('worker'), start('web'), start('web')])
  const secondId = (await rows()).find(id => id !== firstId)
  const owned = up.move()
  return {
    webs,
    workers: [
      { ...first, worker: firstId },
      { ...second, worker: secondId }
    ],
    model,
    sql,
    stop: () => owned.disposeAsync()
  }
}
