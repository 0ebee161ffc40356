import type { Ctx } from '#lib/kernel/ctx.ts'
import { enqueue } from '#lib/queue/enqueue.ts'

/** Has the provider of a code asked in so many seconds; undefined: not any more. */
export async function ringPoll(ctx: Ctx, attemptId: string, inSeconds: number | undefined): Promise<void> {
  if (inSeconds !== undefined)
    await enqueue(ctx, 'poll', { attemptId }, { key: `poll:${attemptId}`, inSeconds })
}
