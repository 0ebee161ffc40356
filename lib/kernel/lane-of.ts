import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the lane in which work waits: one per end user, regardless of sessions and tokens, or one per workspace. A
 * space separates the two parts (`lanes.ts`).
 */
export const laneOf = ({ actor, workspaceId }: Ctx): string =>
  actor.kind === 'subject' ? `${workspaceId} ${encodeURIComponent(actor.subject)}` : workspaceId
