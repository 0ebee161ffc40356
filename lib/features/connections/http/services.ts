import type { HttpMethod, HttpService } from '@waystation/protocol/agent/http-service.ts'
import { type Integration, integrationIfAny } from '#lib/features/connections/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A configured service with the origins that requests can reach: those of its integration, or some of them. */
export type ReachableService = {
  integration: string
  slug: string
  service: string
  origins: readonly string[]
  methods: readonly HttpMethod[]
}

/**
 * Returns the configured services with their origins. A service that the workspace does not have, or that is an
 * MCP server, is left out: the agent uses an MCP server through its tools.
 */
export async function reachableServices(
  ctx: Ctx,
  services: readonly HttpService[]
): Promise<ReachableService[]> {
  const integrations = await Promise.all(
    services.map(({ integration }) => integrationIfAny(ctx, integration))
  )
  return services.flatMap((service, at) => {
    const integration = integrations[at]
    return integration === undefined || integration.mcp !== undefined ? [] : [reachable(service, integration)]
  })
}

function reachable(
  { integration: name, slug = name, hosts, methods }: HttpService,
  { service, apiBase, origins }: Integration
): ReachableService {
  const urls = [apiBase, ...origins].map(address => new URL(address))
  const permitted = urls.filter(({ host }) => hosts === undefined || hosts.includes(host))
  return {
    integration: name,
    slug,
    service,
    methods,
    origins: [...new Set(permitted.map(({ origin }) => origin))]
  }
}

/** Returns the first service that permits a request. */
export const serviceFor = (
  services: readonly ReachableService[],
  { origin }: URL,
  method: HttpMethod
): ReachableService | undefined =>
  services.find(({ origins, methods }) => origins.includes(origin) && methods.includes(method))

/** Describes the permitted requests for the model. */
export const reachableText = (services: readonly ReachableService[]): string =>
  services
    .filter(({ origins }) => origins.length > 0)
    .map(({ service, origins, methods }) => `${methods.join(', ')} at ${origins.join(', ')} (${service})`)
    .join('; ') || 'nothing'
