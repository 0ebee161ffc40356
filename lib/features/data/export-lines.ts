import type { SessionStatus } from '@waystation/protocol/session/event.ts'
import type { ExportLine } from '@waystation/protocol/session/export.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from '#lib/deliveries/delivery-row.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import { foldOf, readFold } from '#lib/engine/context/refold.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { eventsAfter, wireEvent } from '#lib/engine/log/read-events.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The maximum number of rows in memory. */
const pageSize = 50

type Row = {
  id: string
  agentId: string
  subject: string | null
  title: string
  status: SessionStatus
  createdBy: string
  createdAt: string
  activeAt: string
  generation: number
  seq: number
}

/**
 * Yields the lines of a session, each kind page by page in the order of its key. Each reader gets only what
 * other endpoints would show them. Throws if the session is deleted during the export: the partial output is
 * then unusable.
 */
export async function* sessionLines(
  ctx: Ctx,
  sessionKey: number,
  { events }: { events: boolean }
): AsyncGenerator<ExportLine> {
  const { generation, seq, ...row } = await sessionRow(ctx, sessionKey)
  const { subject, createdAt, activeAt, ...session } = row
  const sessionId = session.id
  yield {
    type: 'session',
    session: {
      ...session,
      ...(subject === null ? {} : { subject }),
      createdAt,
      activeAt
    }
  }
  for await (const message of messagesOf(ctx, sessionKey)) yield { type: 'message', sessionId, message }
  for await (const call of callsOf(ctx, sessionKey)) yield { type: 'call', sessionId, call: wireCall(call) }
  for await (const oob of oobOf(ctx, sessionKey))
    yield { type: 'out-of-band', sessionId, message: wireOob(oob) }
  if (ctx.actor.kind !== 'subject')
    for await (const delivery of deliveriesOf(ctx, sessionKey))
      yield { type: 'delivery', sessionId, delivery: wireDelivery(delivery) }
  if ('role' in ctx.actor && ctx.actor.role === 'owner')
    for await (const entry of auditOf(ctx, sessionId)) yield { type: 'audit', entry }
  if (events)
    for await (const event of eventsOf(ctx, sessionKey, seq))
      if (event.type !== 'delivery' || ctx.actor.kind !== 'subject') yield { type: 'event', sessionId, event }
  const current = await sessionRow(ctx, sessionKey)
  if (current.generation !== generation) throw sessionDeleted(sessionKey)
}

async function sessionRow(ctx: Ctx, sessionKey: number): Promise<Row> {
  const [row] = await ctx.sql<Row[]>`
    select s.id, s.agent_id, s.subject, s.title, s.status, s.created_by,
      s.created_at, s.active_at, h.generation, h.seq
    from sessions s join heads h on h.session_key = s.key
    where s.key = ${sessionKey} and s.workspace_id = ${ctx.workspaceId} and s.deleted_at is null`
  if (row === undefined) throw sessionDeleted(sessionKey)
  return row
}

const sessionDeleted = (sessionKey: number) =>
  new Error(`Session ${sessionKey} was deleted during its export.`)

/** Yields the rows after a cursor until there are no more. */
async function* paged<T, Cursor>(
  read: (after: Cursor) => Promise<readonly T[]>,
  cursorOf: (row: T) => Cursor,
  from: Cursor
): AsyncGenerator<T> {
  for (let after = from; ; ) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = cursorOf(last)
  }
}

/** Includes the partial text of a message that is still being written. */
async function* messagesOf(ctx: Ctx, sessionKey: number): AsyncGenerator<Message> {
  type Stored = { pos: number; id: string; message: Message; done: boolean }
  const rows = paged<Stored, number>(
    after => ctx.sql<Stored[]>`
      select pos, id, message, done from messages where session_key = ${sessionKey} and pos > ${after}
      order by pos limit ${pageSize}`,
    ({ pos }) => pos,
    0
  )
  for await (const { id, message, done } of rows) {
    const stored = done ? undefined : await readFold(ctx, sessionKey, id)
    yield stored === undefined ? message : foldOf(stored).message
  }
}

const callsOf = (ctx: Ctx, sessionKey: number) =>
  paged(
    after => ctx.sql<CallRow[]>`
      select ${callColumns(ctx.sql)} from calls where session_key = ${sessionKey} and tool_call_id > ${after}
      order by tool_call_id limit ${pageSize}`,
    ({ toolCallId }) => toolCallId,
    ''
  )

const oobOf = (ctx: Ctx, sessionKey: number) =>
  paged(
    after => ctx.sql<OobRow[]>`
      select ${oobColumns(ctx.sql)} from out_of_band where session_key = ${sessionKey} and id > ${after}
      order by id limit ${pageSize}`,
    ({ id }) => id,
    ''
  )

const deliveriesOf = (ctx: Ctx, sessionKey: number) =>
  paged(
    after => ctx.sql<DeliveryRow[]>`
      select ${deliveryColumns(ctx.sql)} from deliveries where session_key = ${sessionKey} and id > ${after}
      order by id limit ${pageSize}`,
    ({ id }) => id,
    ''
  )

/** Includes entries of the session's earlier generations, because audit entries outlive a deleted session. */
const auditOf = (ctx: Ctx, sessionId: string) =>
  paged(
    after => ctx.sql<AuditEntry[]>`
      select id, at, session_id, action, actor, credential, message_id,
        tool_call_id, tool_name, pattern from audit
      where workspace_id = ${ctx.workspaceId} and session_id = ${sessionId} and id > ${after} order by id limit ${pageSize}`,
    ({ id }) => id,
    0
  )

/** Stops at the end of the log as it was when the export started. */
async function* eventsOf(ctx: Ctx, sessionKey: number, until: number) {
  const rows = paged(
    after => eventsAfter(ctx.sql, sessionKey, after, pageSize),
    ({ seq }) => seq,
    0
  )
  for await (const row of rows) {
    if (row.seq > until) return
    yield wireEvent(row)
  }
}
