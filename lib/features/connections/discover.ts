import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { Discovery } from '#lib/protocol/connection/integration.ts'
import { allIntegrations, type Integration, modesOf } from './integration.ts'
import { type InLife, ownerOfLife } from './owner.ts'

type Found = { integration: string; slug: string; active: boolean; account: string | null }

/**
 * Which accounts a session's agent has, and which it could ask for (002b: `ready | needs_auth | needs_input`). `account`: whose
 * own accounts the call that asks may use. Where several asked for it, those are shown only once their owner has approved.
 */
export async function discover(
  ctx: Ctx,
  life: Pick<InLife, 'sessionKey' | 'generation'>,
  account: CallAccount | null
): Promise<Discovery> {
  const isTheirs = account !== null && (account.others === undefined || account.approved)
  const found = await ctx.sql<Found[]>`
    select integration, slug, state = 'active' as active, account from connections
    where workspace_id = ${ctx.workspaceId} and (
      (sharing = 'session' and owner = ${ownerOfLife(life)}) or (sharing = 'user' and owner = ${isTheirs ? account.id : ''})
      or sharing = 'workspace')
    order by state = 'active' desc, integration, slug`
  const all = await allIntegrations(ctx)
  const connections = all.flatMap(one => {
    const theirs = found.filter(({ integration, active }) => integration === one.integration && active)
    return theirs.length > 0 ? theirs.map(row => readyOne(one, row)) : [missing(one)]
  })
  const unset = connections.filter(({ state }) => state === 'needs_setup').map(({ service }) => service)
  return {
    ready: connections.some(({ state }) => state === 'ready'),
    connections,
    guidance:
      'Use a connection by its slug if its state is ready. If its state is needs_auth or needs_input, call request_connection with its integration. Then wait until the user connects it or declines. Never ask for a password, token or key in the conversation.',
    notes:
      unset.length === 0 ? [] : [`Not set up in this workspace (an owner can do it): ${unset.join(', ')}.`]
  }
}

/** How an account there is come by, while there is none. */
export function needOf(integration: Integration): 'needs_auth' | 'needs_input' | 'needs_setup' {
  const [mode] = modesOf(integration)
  return mode === undefined ? 'needs_setup' : mode === 'api_key' ? 'needs_input' : 'needs_auth'
}

const readyOne = ({ integration, service }: Integration, { slug, account }: Found) => ({
  integration,
  service,
  state: 'ready' as const,
  slug,
  ...(account === null ? {} : { account })
})

function missing(one: Integration): Discovery['connections'][number] {
  const { integration, service } = one
  const state = needOf(one)
  if (state === 'needs_setup') return { integration, service, state }
  return { integration, service, state, connect: { tool: 'request_connection', input: { integration } } }
}
