import { integrationIfAny } from '#lib/features/connections/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Where a server is: its address, or a program of this machine, whose `url` only tells its versions apart. */
export type McpPlace = { service: string; url: string; program?: true }

/** The integration of this name, else the program that whoever runs this server allows under it. Undefined: there is none. */
export async function placeOf(ctx: Ctx, name: string): Promise<McpPlace | undefined> {
  const integration = await integrationIfAny(ctx, name)
  if (integration?.mcp !== undefined) return { service: integration.service, url: integration.mcp.url }
  const program = integration === undefined ? ctx.ports.programs?.offered.get(name) : undefined
  return program && programPlace(name, program.digest)
}

export const programPlace = (name: string, digest: string): McpPlace => ({
  service: name,
  url: `program:${name}#${digest}`,
  program: true
})
