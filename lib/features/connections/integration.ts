import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { ConnectMode } from '#lib/protocol/connection/connection.ts'
import { IntegrationConfig } from '#lib/protocol/connection/integration.ts'

/** An integration ready to be used: its configuration, the client's secret opened, and whether the workspace saved it. */
export type Integration = IntegrationConfig & { clientSecret?: string; own: boolean }

/** `config` as it was saved: an older server knew fewer fields. */
type Row = { config: unknown; clientSecret: string | null }

/** An integration of this workspace, else one that the server brings. Unknown: undefined. */
export async function integrationIfAny(ctx: Ctx, id: string): Promise<Integration | undefined> {
  const [row] = await ctx.sql<Row[]>`
    select config, client_secret from integrations
    where workspace_id = ${ctx.workspaceId} and id = ${id}`
  return row === undefined ? brought(ctx).find(one => one.integration === id) : opened(ctx, row)
}

/** The same; unknown: `404`. */
export async function integrationFor(ctx: Ctx, id: string): Promise<Integration> {
  const integration = await integrationIfAny(ctx, id)
  if (integration === undefined) throw notFound('integration', id)
  return integration
}

/** Every integration of this workspace, by what people call it. */
export async function allIntegrations(ctx: Ctx): Promise<Integration[]> {
  const rows = await ctx.sql<Row[]>`
    select config, client_secret from integrations where workspace_id = ${ctx.workspaceId}`
  const own = rows.map(row => opened(ctx, row))
  const names = new Set(own.map(({ integration }) => integration))
  return [...own, ...brought(ctx).filter(({ integration }) => !names.has(integration))].sort((a, b) =>
    a.service.localeCompare(b.service)
  )
}

/** What a client's secret is sealed for. */
export const clientSecretOf = (workspaceId: string, integration: string): string =>
  `integration ${workspaceId} ${integration} client-secret`

/** The ways in which an account can be connected there now, the preferred one first. */
export function modesOf({ oauth, apiKey, mcp }: IntegrationConfig): ConnectMode[] {
  const grants = oauth !== undefined && oauth.clientId !== '' ? oauth.grants : []
  return [
    ...(mcp === undefined ? [] : (['oauth'] as const)),
    ...grants.map(grant => modeOfGrant[grant]),
    ...(apiKey === undefined ? [] : (['api_key'] as const))
  ]
}

const modeOfGrant = { authorization_code: 'oauth', device_code: 'device' } as const

const brought = (ctx: Ctx): Integration[] => ctx.ports.integrations.map(one => ({ ...one, own: false }))

function opened(ctx: Ctx, { config: saved, clientSecret }: Row): Integration {
  const config = IntegrationConfig.parse(saved)
  if (clientSecret === null) return { ...config, own: true }
  const purpose = clientSecretOf(ctx.workspaceId, config.integration)
  return { ...config, own: true, clientSecret: ctx.ports.vault.open(clientSecret, purpose) }
}
