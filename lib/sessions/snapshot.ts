import type { AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import { effectivePolicy, type OobPolicyLevels } from '@waystation/protocol/out-of-band/effective-policy.ts'
import type { SessionStatus, Snapshot, TurnError } from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { inTransaction, pipelined, unchanged } from '#db/transaction.ts'
import { hasBuildKit } from '#lib/agents/overlay/build-kit.ts'
import { foldOf, readFold } from '#lib/engine/context/refold.ts'
import { withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { callsToShow } from '#lib/sessions/calls-to-show.ts'
import { oobLevels } from './oob-levels.ts'
import { type OobPage, oobToShow } from './out-of-band-to-show.ts'

/** The number of messages in a snapshot, and in each earlier page. */
export const pageSize = 50

type SessionRow = {
  seq: number
  status: SessionStatus
  turnId: string | null
  title: string
  oob: OobPolicyLevels
  pinnedRevision: number | null
  overlay: AgentOverlay | null
  handedTo: string | null
  external: boolean
  speakerName: string | null
  error: TurnError | null
  retryAt: string | null
}

/**
 * Returns a session at one moment (docs/concepts/engine.md#events), from one snapshot of the database. It contains the
 * last messages with the newest chunks of a live one, their calls, all open calls, and the cursor after which events
 * continue.
 */
export async function snapshotOf(ctx: Ctx, sessionKey: number): Promise<Snapshot> {
  const read = async (tx: Ctx): Promise<Snapshot> => {
    // The changes of the caller's transaction belong to the snapshot.
    await tx.flush()
    const [session] = await tx.sql<SessionRow[]>`
      select h.seq, s.status, h.turn_id, s.title, ${oobLevels(tx)} as oob,
        s.pinned_revision, s.overlay, s.error, s.retry_at,
        s.handed_to, s.external,
        (select config ->> 'displayName' from agents where workspace_id = s.workspace_id and id = s.handed_to) as speaker_name
      from heads h join sessions s on s.key = h.session_key join workspaces w on w.id = s.workspace_id ${withAgent(tx)}
      where h.session_key = ${sessionKey}`
    if (session === undefined) throw new Error(`Session ${sessionKey} has no head.`)
    const [rows, ...parts] = await pipelined([
      messagesBefore(tx, sessionKey, null),
      ...tx.ports.sessions.snapshot.map(part => part(tx, sessionKey))
    ])
    const calls = await callsToShow(
      tx,
      sessionKey,
      rows.map(row => row.id)
    )
    const outOfBand = await oobToShow(tx, sessionKey, oobPageOf(rows))
    const messages = await Promise.all(
      rows.map(async ({ id, message, done }) => {
        const stored = done ? undefined : await readFold(tx, sessionKey, id, calls)
        return stored === undefined ? message : foldOf(stored).message
      })
    )
    return {
      messages,
      calls,
      outOfBand,
      status: session.status,
      title: session.title,
      oobPolicy: effectivePolicy(session.oob),
      cursor: session.seq,
      ...(session.turnId === null ? {} : { turnId: session.turnId }),
      ...(session.pinnedRevision === null ? {} : { pinnedRevision: session.pinnedRevision }),
      ...(session.overlay === null ? {} : { overlaid: true as const }),
      ...(hasBuildKit(session.overlay) ? { buildKit: true as const } : {}),
      ...(session.handedTo === null
        ? {}
        : {
            speaker: {
              agentId: session.handedTo,
              displayName: session.speakerName ?? session.handedTo,
              ...(session.external ? { external: true as const } : {})
            }
          }),
      ...Object.assign({}, ...parts),
      ...(session.error === null ? {} : { error: session.error }),
      ...(session.retryAt === null ? {} : { retryAt: session.retryAt })
    }
  }
  const mode = 'isolation level repeatable read read only'
  return inTransaction(ctx, async tx => unchanged(await read(tx)), { mode })
}

/** Returns the filter for the out-of-band messages of a page. A page that is not full is the first one. */
export const oobPageOf = (rows: readonly { id: string; message: Message }[], before?: string): OobPage => ({
  ids: rows.map(({ id }) => id),
  from: rows.length < pageSize ? undefined : rows[0]?.message.metadata?.createdAt,
  before
})

/** Returns the page of messages before one message, or the newest page for null, oldest first. */
export async function messagesBefore(
  ctx: Ctx,
  sessionKey: number,
  before: string | null
): Promise<{ id: string; message: Message; done: boolean }[]> {
  const rows = await ctx.sql<{ id: string; message: Message; done: boolean }[]>`
    select id, message, done from messages
    where session_key = ${sessionKey}
      and (${before}::text is null or pos < (select pos from messages where session_key = ${sessionKey} and id = ${before}))
    order by pos desc limit ${pageSize}`
  return rows.reverse()
}
