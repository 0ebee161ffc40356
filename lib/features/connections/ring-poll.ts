import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Has the provider of a code asked in so many seconds; undefined: not any more. */
export async function ringPoll(ctx: Ctx, attemptId: string, inSeconds: number | undefined): Promise<void> {
  if (inSeconds !== undefined)
    await enqueue(ctx, 'poll', { attemptId }, { key: `poll:${attemptId}`, inSeconds })
}
