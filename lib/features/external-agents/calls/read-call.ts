import type { ExternalCall } from '@waystation/protocol/external-agent/calls.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRef, type FoundCall, findCall } from './find-call.ts'
import { viewCall } from './view-call.ts'

/**
 * Returns a call of an external agent. With `wait`, an open call is returned as soon as it is settled, or after that
 * many seconds. It waits for the session's events, so waiting needs no database connection.
 *
 * @throws ApiError `NOT_FOUND`, also if the session is deleted meanwhile
 */
export async function readCall(
  ctx: Ctx,
  ref: CallRef,
  wait: number,
  signal: AbortSignal
): Promise<ExternalCall> {
  const call = await findCall(ctx, ref)
  if (call.state !== 'open' || wait === 0) return viewCall(call)
  await untilSettled(ctx, call, AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]))
  return viewCall(await findCall(ctx, ref))
}

/** Waits until an event shows that the call is settled, the session is deleted, or the signal aborts. */
async function untilSettled(
  ctx: Ctx,
  { sessionKey, seq, toolCallId }: FoundCall,
  signal: AbortSignal
): Promise<void> {
  for await (const event of ctx.ports.follow(sessionKey, seq, signal)) {
    if (event === 'reset') return
    if (event.type === 'call' && event.call.toolCallId === toolCallId && event.call.state !== 'open') return
  }
}
