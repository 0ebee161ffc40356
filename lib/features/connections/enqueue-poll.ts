import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Enqueues a poll of the code's provider in `inSeconds`, or does nothing if that is undefined. */
export async function enqueuePoll(ctx: Ctx, attemptId: string, inSeconds: number | undefined): Promise<void> {
  if (inSeconds !== undefined)
    await enqueue(ctx, 'poll', { attemptId }, { key: `poll:${attemptId}`, inSeconds })
}
