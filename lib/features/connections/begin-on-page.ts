import type { Ctx } from '#lib/kernel/ctx.ts'
import type { BeginConnect, BegunConnect } from '#lib/protocol/connection/connection.ts'
import { begin } from './begin.ts'
import { integrationFor } from './integration.ts'
import { openerOf } from './opener.ts'
import { ownerForPage } from './owner.ts'

/**
 * Begins to connect an account on the page of connections: one's own, or the workspace's, which takes an editor. Made again
 * under the same name it replaces the credential of the one that is there.
 */
export async function beginOnPage(ctx: Ctx, input: BeginConnect): Promise<BegunConnect> {
  const integration = await integrationFor(ctx, input.integration)
  const sharing = input.sharing ?? (integration.sharing === 'session' ? 'user' : integration.sharing)
  const owner = ownerForPage(ctx, sharing)
  return begin(ctx, {
    ...owner,
    integration,
    slug: input.slug ?? integration.integration,
    mode: input.mode,
    opener: await openerOf(ctx, input.opener)
  })
}
