import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns a hash that changes when an agent of this workspace is created, published, or gets another draft. */
export async function agentsVersion(ctx: Ctx): Promise<string> {
  const [row] = await ctx.sql<{ version: string }[]>`
    select md5(coalesce(string_agg(concat_ws(' ', id, revision, draft_version), ',' order by id), '')) as version
    from agents where workspace_id = ${ctx.workspaceId}`
  return row?.version ?? ''
}
