import { integrationIfAny } from '#lib/features/connections/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The location of a server: its URL, or a program on this machine, whose `url` only identifies its version. */
export type McpLocation = { service: string; url: string; program?: true }

/**
 * Returns the location of the integration with this name, or else of the program that the operator allows
 * under it. Undefined if there is none.
 */
export async function placeOf(ctx: Ctx, name: string): Promise<McpLocation | undefined> {
  const integration = await integrationIfAny(ctx, name)
  if (integration?.mcp !== undefined) return { service: integration.service, url: integration.mcp.url }
  const program = integration === undefined ? ctx.ports.programs?.offered.get(name) : undefined
  return program && programPlace(name, program.digest)
}

/** Returns the location of a program. `digest` identifies its version. */
export const programPlace = (name: string, digest: string): McpLocation => ({
  service: name,
  url: `program:${name}#${digest}`,
  program: true
})
