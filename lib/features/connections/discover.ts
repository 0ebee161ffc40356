import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { Discovery } from '@waystation/protocol/connection/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { allIntegrations, type Integration, modesOf } from './integration.ts'
import { ownerOfGeneration, type SessionGeneration } from './owner.ts'

type ConnectionSummary = { integration: string; slug: string; active: boolean; account: string | null }

/**
 * Lists the accounts that a session's agent can use, and those that it can request (002b: `ready | needs_auth
 * | needs_input`). `account` is the user whose own accounts the call may use. If several users asked for the
 * call, these appear only after their owner has approved.
 */
export async function discover(
  ctx: Ctx,
  session: Pick<SessionGeneration, 'sessionKey' | 'generation'>,
  account: CallAccount | null
): Promise<Discovery> {
  const canUseOwn = account !== null && (account.others === undefined || account.approved)
  const rows = await ctx.sql<ConnectionSummary[]>`
    select integration, slug, state = 'active' as active, account from connections
    where workspace_id = ${ctx.workspaceId} and (
      (sharing = 'session' and owner = ${ownerOfGeneration(session)}) or (sharing = 'user' and owner = ${canUseOwn ? account.id : ''})
      or sharing = 'workspace')
    order by state = 'active' desc, integration, slug`
  const integrations = await allIntegrations(ctx)
  const connections = integrations.flatMap(entry => {
    const activeRows = rows.filter(({ integration, active }) => integration === entry.integration && active)
    return activeRows.length > 0
      ? activeRows.map(row => readyConnection(entry, row))
      : [missingConnection(entry)]
  })
  const unconfigured = connections
    .filter(({ state }) => state === 'needs_setup')
    .map(({ service }) => service)
  return {
    ready: connections.some(({ state }) => state === 'ready'),
    connections,
    guidance:
      'Use a connection by its slug if its state is ready. If its state is needs_auth or needs_input, call request_connection with its integration. Then wait until the user connects it or declines. Tools of an MCP server ask for an account by themselves if they need one. Never ask for a password, token or key in the conversation.',
    notes:
      unconfigured.length === 0
        ? []
        : [`Not set up in this workspace (an owner can do it): ${unconfigured.join(', ')}.`]
  }
}

/** Returns what an integration without an account needs. */
export function needOf(integration: Integration): 'needs_auth' | 'needs_input' | 'needs_setup' {
  const [mode] = modesOf(integration)
  return mode === undefined ? 'needs_setup' : mode === 'api_key' ? 'needs_input' : 'needs_auth'
}

const readyConnection = ({ integration, service }: Integration, { slug, account }: ConnectionSummary) => ({
  integration,
  service,
  state: 'ready' as const,
  slug,
  ...(account === null ? {} : { account })
})

function missingConnection(entry: Integration): Discovery['connections'][number] {
  const { integration, service } = entry
  const state = needOf(entry)
  if (state === 'needs_setup') return { integration, service, state }
  return { integration, service, state, connect: { tool: 'request_connection', input: { integration } } }
}
