import { checkUnasked, resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { checkSchemas, schemasOf } from '#lib/kernel/schemas/check-schemas.ts'
import { type AgentOverlay, ChatConfig, isBuiltIn } from '#lib/protocol/agent/agent.ts'
import { identityOf } from './identity.ts'
import { laidOver } from './lay-over.ts'

/**
 * Refuses an overlay that no turn of this agent could run under, with the fields that are wrong: `INVALID_INPUT`. It brings a
 * tool that this server does not have, an embed of it leads nowhere, or with it the agent is over a limit.
 */
export async function checkOverlay(ctx: Ctx, chat: ChatConfig, overlay: AgentOverlay): Promise<void> {
  const brought = unknownTools(ctx, chat, overlay)
  const [first] = Object.values(brought)
  if (first !== undefined) throw invalid(first, brought)
  const laid = laidOver(chat, overlay)
  // By itself first: so a refusal has the places that its sender knows.
  const { tools } = await resolveAgent(ctx, ChatConfig.parse(overlay), { at: 'overlay' })
  checkUnasked(tools, 'overlay.tools')
  await checkSchemas(ctx, schemasOf(tools, 'overlay.tools'))
  await resolveAgent(ctx, laid)
}

/** What it brings by a name alone, and neither the server nor the agent has, by the field that names it. */
function unknownTools(ctx: Ctx, chat: ChatConfig, overlay: AgentOverlay): Record<string, string> {
  const here = new Set(ctx.ports.listedTools.map(({ name }) => name))
  const own = new Set(chat.tools.map(identityOf))
  return Object.fromEntries(
    overlay.tools.flatMap((tool, index) =>
      !isBuiltIn(tool) || here.has(tool.name) || own.has(identityOf(tool))
        ? []
        : [
            [
              `overlay.tools.${index}.name`,
              `There is no tool "${tool.name}". GET /api/tools lists the available tools.`
            ]
          ]
    )
  )
}
