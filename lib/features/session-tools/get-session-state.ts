import type { OobStatus } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { foldOf, readFold } from '#lib/engine/context/refold.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentSessionOf, keySeenByAgent } from '#lib/sessions/seen-by-agent.ts'
import { addReadAuthors } from './add-read-authors.ts'
import { cut } from './cut.ts'
import { pendingCallsOf } from './pending-calls.ts'
import type { SessionState } from './seen-sessions.ts'

/** Maximum lengths in characters, and maximum numbers. */
const max = { title: 200, text: 500, error: 300, content: 200, calls: 20, sent: 5 }

type Row = {
  title: string
  agentId: string
  agentName: string
  status: SessionStatus
  activeAt: string
  error: TurnError | null
  parentSessionId: string | null
}

/** Returns the state of a session that the agent can see. Throws `NOT_FOUND` for any other session. */
export async function getSessionState(ctx: Ctx, lease: Lease, sessionId: string): Promise<SessionState> {
  const agent = await agentSessionOf(ctx, lease.sessionKey)
  const key = await keySeenByAgent(ctx, agent, sessionId)
  const [row, lastMessage, calls, outOfBand, sentByYou] = await Promise.all([
    readSession(ctx, key),
    readLastMessage(ctx, key),
    pendingCallsOf(ctx, [key]),
    countOutOfBand(ctx, key),
    sentFrom(ctx, lease.sessionKey, key)
  ])
  await addReadAuthors(ctx, lease, [key])
  const { error, parentSessionId, ...session } = row
  return {
    sessionId,
    ...session,
    title: cut(session.title, max.title),
    ...(error === null ? {} : { error: cut(error.message, max.error) }),
    ...(parentSessionId === null ? {} : { parentSessionId }),
    pendingCalls: calls.slice(0, max.calls).map(({ sessionKey: _, ...call }) => call),
    ...(lastMessage === undefined ? {} : { lastMessage }),
    outOfBand,
    sentByYou
  }
}

async function readSession({ sql }: Ctx, key: number): Promise<Row> {
  const [row] = await sql<Row[]>`
    select s.title, coalesce(s.handed_to, s.agent_id) as agent_id,
      coalesce(a.config ->> 'displayName', s.handed_to, s.agent_id) as agent_name, s.status, s.active_at, s.error,
      (select p.id from sessions p where p.key = s.parent_key and p.deleted_at is null) as parent_session_id
    from sessions s left join agents a on a.workspace_id = s.workspace_id and a.id = coalesce(s.handed_to, s.agent_id)
    where s.key = ${key}`
  if (row === undefined) throw new Error(`Session ${key} is not stored.`)
  return row
}

/** Returns the last message with text, including the part of a running one that is written so far. */
async function readLastMessage(ctx: Ctx, key: number): Promise<SessionState['lastMessage']> {
  const newest = await ctx.sql<{ id: string }[]>`
    select id from messages where session_key = ${key} order by pos desc limit 2`
  for (const { id } of newest) {
    const stored = await readFold(ctx, key, id)
    if (stored === undefined) continue
    const { message } = foldOf(stored)
    const text = textOf(message).trim()
    if (message.role === 'system' || text === '') continue
    const createdAt = message.metadata?.createdAt
    return {
      role: message.role,
      text: cut(text, max.text),
      ...(createdAt === undefined ? {} : { createdAt })
    }
  }
  return undefined
}

/** Counts pending and held out-of-band messages, as session lists do. */
async function countOutOfBand(ctx: Ctx, key: number): Promise<SessionState['outOfBand']> {
  const parts = await Promise.all(ctx.ports.sessions.listed.map(part => part(ctx, [key])))
  const listed: Partial<ListedSession> = Object.assign({}, ...parts.map(part => part.get(key)))
  return listed.outOfBand ?? { waiting: 0, held: 0 }
}

async function sentFrom({ sql }: Ctx, from: number, to: number): Promise<SessionState['sentByYou']> {
  const rows = await sql<{ id: string; status: OobStatus; content: string; effect: string | null }[]>`
    select id, status, content, effect from out_of_band where session_key = ${to} and from_key = ${from}
    order by queued_at desc, id desc limit ${max.sent}`
  return rows.map(({ content, effect, ...row }) => ({
    ...row,
    content: cut(content, max.content),
    ...(effect === null ? {} : { effect })
  }))
}
