import type { Ctx } from './ctx.ts'

/** Returns the context with which the server applies the file of a workspace. */
export const fileCtx = (ctx: Ctx, workspaceId: string): Ctx => ({
  ...ctx,
  workspaceId,
  actor: { kind: 'system', name: 'workspace file', workspaceId }
})
