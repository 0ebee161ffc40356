import type { BeginConnect, BegunConnect } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { integrationFor } from './integration.ts'
import { openerOriginOf } from './opener-origin.ts'
import { ownerForPage } from './owner.ts'
import { startAttempt } from './start-attempt.ts'

/**
 * Starts to connect an account on the connections page: the user's own, or the workspace's, which requires an
 * editor. A connection with the same name gets the new credential.
 */
export async function beginOnPage(ctx: Ctx, input: BeginConnect): Promise<BegunConnect> {
  const integration = await integrationFor(ctx, input.integration)
  const sharing = input.sharing ?? (integration.sharing === 'session' ? 'user' : integration.sharing)
  const owner = ownerForPage(ctx, sharing)
  return startAttempt(ctx, {
    ...owner,
    integration,
    slug: input.slug ?? integration.integration,
    mode: input.mode,
    opener: await openerOriginOf(ctx, input.opener)
  })
}
