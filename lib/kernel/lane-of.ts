import type { Ctx } from './ctx.ts'

/** For whom something is done that others wait behind: an end user's session, else a workspace. */
export const laneOf = ({ actor, workspaceId }: Ctx): string =>
  actor.kind === 'subject' ? `${workspaceId} ${actor.sessionId}` : workspaceId
