import type { CallResult } from '@waystation/protocol/call/call.ts'
import { inTransaction } from '#db/transaction.ts'
import { countResult } from '#lib/engine/context/context-entries.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Replaces a call's result with a plugin's version, only in the model's context, where no model has read it
 * yet. Checks the lease. `duration` is the number of steps that it stays in the prompt. Undefined: keep the
 * duration of the call.
 */
export async function replaceResult(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  result: CallResult,
  duration: number | undefined
): Promise<void> {
  const tokens = countTokens(JSON.stringify(result))
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const durationField = duration === undefined ? {} : { duration }
    // A late answer has its own entry. Any other result belongs to the entry of its step.
    const [entry] = await tx.sql<{ id: number; kind: string; before: CallResult }[]>`
      select a.id, a.kind, a.payload -> 'result' as before from context a
      where a.session_key = ${session.sessionKey} and a.kind = 'answer' and a.tool_call_id = ${toolCallId} and a.id > (
        select id from context where session_key = ${session.sessionKey} and kind = 'step' order by id desc limit 1)
      union all
      select x.id, x.kind, coalesce(x.payload -> 'told' -> c.tool_call_id, c.result) from calls c
        join context x on x.session_key = c.session_key and x.id = c.context_id
      where c.session_key = ${session.sessionKey} and c.tool_call_id = ${toolCallId} and c.deferred_at is null`
    if (entry === undefined) return
    const addedTokens = tokens - countTokens(JSON.stringify(entry.before))
    if (entry.kind === 'answer')
      await tx.sql`
        with told as (
          update context set payload = payload || ${{ result, ...durationField }}::jsonb, tokens = tokens + ${addedTokens}
          where session_key = ${session.sessionKey} and id = ${entry.id}
        )
        update sessions set context_tokens = context_tokens + ${addedTokens} where key = ${session.sessionKey}`
    else {
      await tx.sql`
        with told as (
          update context set payload = jsonb_set(payload, '{told}',
            coalesce(payload -> 'told', '{}') || ${{ [toolCallId]: result }}::jsonb)
          where session_key = ${session.sessionKey} and id = ${entry.id}
        )
        update calls set duration = coalesce(${duration ?? null}::int, duration)
        where session_key = ${session.sessionKey} and tool_call_id = ${toolCallId}`
      await countResult(tx, session, entry.id, addedTokens)
    }
  })
}
