import type { Ctx } from '#lib/kernel/ctx.ts'

/** Locks the workspace's own entries until the end of the transaction. */
export const lockCatalogue = (tx: Ctx): PromiseLike<unknown> => tx.sql`
  select from workspaces where id = ${tx.workspaceId} for no key update`
