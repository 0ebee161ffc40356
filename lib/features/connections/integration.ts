import { notFound } from '@waystation/base/api-error.ts'
import type { ConnectMode } from '@waystation/protocol/connection/connection.ts'
import { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * An integration that is ready for use: its configuration, the decrypted client secret, and whether the
 * workspace saved it (`own`).
 */
export type Integration = IntegrationConfig & { clientSecret?: string; own: boolean }

/** `config` is parsed when it is read, because an older server may have saved fewer fields. */
type Row = { config: unknown; clientSecret: string | null }

/** Returns an integration of this workspace, or else one that the server includes. Undefined if the ID is unknown. */
export async function integrationIfAny(ctx: Ctx, id: string): Promise<Integration | undefined> {
  const [row] = await ctx.sql<Row[]>`
    select config, client_secret from integrations
    where workspace_id = ${ctx.workspaceId} and id = ${id}`
  return row === undefined ? builtIn(ctx).find(preset => preset.integration === id) : fromRow(ctx, row)
}

/** Does the same as `integrationIfAny`, but throws `NOT_FOUND` if the ID is unknown. */
export async function integrationFor(ctx: Ctx, id: string): Promise<Integration> {
  const integration = await integrationIfAny(ctx, id)
  if (integration === undefined) throw notFound('integration', id)
  return integration
}

/** Returns every integration of this workspace, ordered by the name of its service. */
export async function allIntegrations(ctx: Ctx): Promise<Integration[]> {
  const rows = await ctx.sql<Row[]>`
    select config, client_secret from integrations where workspace_id = ${ctx.workspaceId}`
  const own = rows.map(row => fromRow(ctx, row))
  const names = new Set(own.map(({ integration }) => integration))
  return [...own, ...builtIn(ctx).filter(({ integration }) => !names.has(integration))].sort((a, b) =>
    a.service.localeCompare(b.service)
  )
}

/** Returns the encryption context of a client secret. */
export const clientSecretOf = (workspaceId: string, integration: string): string =>
  `integration ${workspaceId} ${integration} client-secret`

/** Returns the ways to connect an account now, the preferred one first. */
export function modesOf({ oauth, apiKey, mcp }: IntegrationConfig): ConnectMode[] {
  const grants = oauth !== undefined && oauth.clientId !== '' ? oauth.grants : []
  return [
    ...(mcp === undefined ? [] : (['oauth'] as const)),
    ...grants.map(grant => modeOfGrant[grant]),
    ...(apiKey === undefined ? [] : (['api_key'] as const))
  ]
}

const modeOfGrant = { authorization_code: 'oauth', device_code: 'device' } as const

const builtIn = (ctx: Ctx): Integration[] => ctx.ports.integrations.map(preset => ({ ...preset, own: false }))

function fromRow(ctx: Ctx, { config: saved, clientSecret }: Row): Integration {
  const config = IntegrationConfig.parse(saved)
  if (clientSecret === null) return { ...config, own: true }
  const purpose = clientSecretOf(ctx.workspaceId, config.integration)
  return { ...config, own: true, clientSecret: ctx.ports.vault.decrypt(clientSecret, purpose) }
}
