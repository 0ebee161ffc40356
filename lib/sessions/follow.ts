import { ApiError } from '@waystation/base/api-error.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { FollowEvents } from '@waystation/protocol/session/session.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { snapshotOf } from './snapshot.ts'

/**
 * Yields a session's events after a cursor, live. Without a cursor, it first yields a `reset` with the current session.
 * It also yields a `reset` for a cursor that is compacted, past retention, from an earlier generation or ahead of the
 * log. The cursor 0 is always valid. The stream ends when the session is deleted. End users do not receive delivery
 * events, because external systems and their responses are only for workspace members.
 */
export async function followSession(
  ctx: Ctx,
  input: FollowEvents,
  signal: AbortSignal
): Promise<AsyncIterable<SessionEvent>> {
  const sessionKey = await sessionKeyOf(ctx, input.sessionId)
  return follow(ctx, { sessionId: input.sessionId, sessionKey }, input.after, signal)
}

async function* follow(
  ctx: Ctx,
  { sessionId, sessionKey }: { sessionId: string; sessionKey: number },
  after: number | undefined,
  signal: AbortSignal
): AsyncGenerator<SessionEvent> {
  let cursor = after
  for (;;) {
    if (cursor === undefined) {
      const reset = await resetOf(ctx, sessionKey)
      // The ID can have a new generation since it was checked, and a session token is not valid for that one.
      if (ctx.actor.kind === 'subject' && !(await exists(ctx, sessionId))) return
      cursor = reset.cursor
      yield reset
    }
    let isReset = false
    for await (const event of ctx.ports.follow(sessionKey, cursor, signal)) {
      if (event === 'reset') {
        isReset = true
        break
      }
      cursor = event.seq
      if (event.type !== 'delivery' || ctx.actor.kind !== 'subject') yield event
    }
    if (!isReset) return
    // The session can be deleted. Or its ID has a new generation, for which a session token is not valid.
    if (!(await exists(ctx, sessionId))) return
    cursor = undefined
  }
}

const exists = (ctx: Ctx, sessionId: string): Promise<boolean> =>
  sessionKeyOf(ctx, sessionId).then(
    () => true,
    error => {
      if (error instanceof ApiError) return false
      throw error
    }
  )

async function resetOf(ctx: Ctx, sessionKey: number) {
  const snapshot = await snapshotOf(ctx, sessionKey)
  return { type: 'reset' as const, seq: snapshot.cursor, at: new Date().toISOString(), ...snapshot }
}
