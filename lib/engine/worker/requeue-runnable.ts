import type { Ctx } from '#lib/kernel/ctx.ts'

/** Wakes every session that has work and no owner, so a lost job delays work by at most a minute. */
export async function requeueRunnable(ctx: Ctx): Promise<void> {
  await ctx.sql`
    select graphile_worker.add_job('wake', json_build_object('sessionKey', session_key), job_key := 'wake:' || session_key,
      flags := array['wake']) is null as lost
    from heads where has_work > 0 and owner is null`
}
