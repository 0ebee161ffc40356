import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * For whom something is done that others wait behind: an end user, however many sessions and tokens they have, else a workspace.
 * A space parts the two (`lanes.ts`).
 */
export const laneOf = ({ actor, workspaceId }: Ctx): string =>
  actor.kind === 'subject' ? `${workspaceId} ${encodeURIComponent(actor.subject)}` : workspaceId
