import type { Ctx } from '#lib/kernel/ctx.ts'

/** Another text once an agent of this workspace was made, or its published revision or its draft is another one. */
export async function agentsVersion(ctx: Ctx): Promise<string> {
  const [row] = await ctx.sql<{ version: string }[]>`
    select md5(coalesce(string_agg(concat_ws(' ', id, revision, draft_version), ',' order by id), '')) as version
    from agents where workspace_id = ${ctx.workspaceId}`
  return row?.version ?? ''
}
