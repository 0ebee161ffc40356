import { setTimeout as pause } from 'node:timers/promises'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { now, residentOf } from '#bench/machine.ts'
import type { Stage } from '#bench/stage.ts'
import type { Sql } from '#db/client.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startServer } from '#tests/support/servers/start-server.ts'

/** The number of pages of the list that are read. */
const listings = 200

/**
 * Parks a session like a user would, and answers its call. Returns the milliseconds from the accepted answer until
 * the model call.
 */
export async function resume(stage: Stage, sessionId: string): Promise<number> {
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'ask' }))
  await stage.rest(sessionId)
  await pause(4)
  const toolCallId = await stage.openCall(sessionId)
  const modelCall = stage.model.next()
  await answerCall(stage.ctx, { sessionId, toolCallId, answer: { output: { answer: 'The first one.' } } })
  const accepted = now()
  const { at } = await modelCall
  await stage.rest(sessionId)
  return at - accepted
}

/**
 * Measures the same resumes on two engines, one of which also has parked sessions in its database. Alternates
 * between them, so that other load on the machine affects both.
 */
export async function measureResumes(
  none: Stage,
  many: Stage,
  rounds: number
): Promise<{ none: number[]; many: number[] }> {
  const durations = { none: [] as number[], many: [] as number[] }
  const sides = { none, many }
  const sessions = {
    none: await Promise.all(Array.from({ length: 10 }, () => none.session())),
    many: await Promise.all(Array.from({ length: 10 }, () => many.session()))
  }
  const warm = 20
  for (let round = 0; round < warm + rounds; round++)
    for (const side of round % 2 === 0 ? (['none', 'many'] as const) : (['many', 'none'] as const)) {
      const duration = await resume(sides[side], sessions[side][round % 10] as string)
      if (round >= warm) durations[side].push(duration)
    }
  return durations
}

/**
 * A server at rest: its resident megabytes after it was idle for some time, and the milliseconds of a page of the list
 * of sessions.
 */
export type AtRest = { megabytes: number | undefined; listed: number[] }

/** Measures a server on this database that was idle for `seconds`. */
export async function measureAtRest(databaseUrl: string, seconds: number): Promise<AtRest> {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const read = async (path: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${server.apiKey}` } })).text()
  try {
    // The first page and the first call load code that every server soon loads.
    for (const path of ['/api/health', '/api/sessions', '/']) await read(path)
    await pause(seconds * 1000)
    const megabytes = residentOf(server.process.pid ?? 0)
    const listed: number[] = []
    for (let n = 0; n < listings; n++) {
      const startedAt = now()
      await read('/api/sessions')
      listed.push(now() - startedAt)
    }
    return { megabytes, listed }
  } finally {
    await server.stop()
  }
}

/**
 * Copies a parked session `count` times, row by row, with the jobs for its warning and its deadline. 1,000,000 real
 * turns would take hours. Each copy has its own call, due in seven days; the deadlines are spread over an
 * hour.
 */
export async function fillWithParked(stage: Stage, count: number): Promise<void> {
  const { sql } = stage
  const sessionId = await stage.session()
  await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'ask' }))
  await stage.rest()
  const [template] = await sql<{ key: number }[]>`select key from sessions where id = ${sessionId}`
  const key = template?.key ?? 0
  await sql.begin(async tx => {
    const [first] = await tx<{ key: number }[]>`
      select setval(pg_get_serial_sequence('sessions', 'key'), (select max(key) from sessions) + ${count}) - ${count} + 1 as key`
    const from = Number(first?.key)
    await tx`create temporary table copies on commit drop as
      select n + ${from}::bigint - 1 as key, n from generate_series(1, ${count}::int) n`
    await copy(tx, 'sessions', 'key', key, { key: 'c.key', id: `'parked-' || c.n` }, true)
    for (const table of ['heads', 'messages', 'events', 'receipts'])
      await copy(tx, table, 'session_key', key, { session_key: 'c.key' })
    await copy(tx, 'turns', 'session_key', key, { session_key: 'c.key', id: `t.id || '_' || c.n` })
    await copy(tx, 'inbox', 'session_key', key, { session_key: 'c.key', item_id: `t.item_id || '_' || c.n` })
    await copy(tx, 'context', 'session_key', key, {
      session_key: 'c.key',
      turn_id: `t.turn_id || '_' || c.n`
    })
    await copy(tx, 'calls', 'session_key', key, {
      session_key: 'c.key',
      turn_id: `t.turn_id || '_' || c.n`,
      context_id: `(select id from context e where e.session_key = c.key and e.kind = 'step')`,
      deadline: `t.deadline + c.n * interval '36 milliseconds'`
    })
    await tx`
      select graphile_worker.add_jobs(array_agg(row(job, json_build_object('sessionKey', session_key, 'toolCallId', tool_call_id),
        null, at, null, job || ':' || session_key || ':' || tool_call_id, null, null)::graphile_worker.job_spec))
      from (
        select session_key, tool_call_id, job, case job when 'deadline' then deadline else deadline - interval '1 day' end as at
        from calls, unnest(array['deadline', 'warn']) job where session_key >= ${from}) due`
  })
  await sql`vacuum analyze`
}

/**
 * Copies a session's rows of a table once for each row of `copies`. `set` contains the columns that differ, as SQL.
 * Skips identity columns, unless `overriding` is true.
 */
async function copy(
  tx: Sql,
  table: string,
  keyColumn: string,
  key: number,
  set: Record<string, string>,
  overriding = false
): Promise<void> {
  const columns = await tx<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and (is_identity = 'NO' or ${overriding})
    order by ordinal_position`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const values = columns.map(({ name }) => set[name] ?? `t."${name}"`).join(', ')
  await tx.unsafe(
    `insert into ${table} (${names}) ${overriding ? 'overriding system value' : ''}
     select ${values} from ${table} t cross join copies c where t.${keyColumn} = $1 order by c.n`,
    [key]
  )
}
