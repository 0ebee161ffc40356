import type { Grants, ListGrants } from '@waystation/protocol/call/grant.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readGrants } from './grants.ts'

/** Returns the approvals that apply in the whole workspace, newest first. */
export const listGrants = async (ctx: Ctx, _: ListGrants): Promise<Grants> => ({
  grants: await readGrants(ctx)
})

/** Returns the approvals that apply in one session, newest first. */
export const listSessionGrants = async (ctx: Ctx, { sessionId }: InSession): Promise<Grants> => ({
  grants: await readGrants(ctx, await sessionKeyOf(ctx, sessionId))
})
