import { invalid } from '@waystation/base/api-error.ts'
import { checkSchemas, schemasOf } from '@waystation/json-schemas'
import { type AgentOverlay, ChatConfig, isBuiltIn } from '@waystation/protocol/agent/agent.ts'
import { identityOf } from '@waystation/protocol/agent/overlay-identity.ts'
import { checkAutoApprovedTools, resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { applyOverlay } from './apply-overlay.ts'

/**
 * Throws `INVALID_INPUT` if the agent cannot run with this overlay: it names an unknown tool, contains an embed that
 * cannot be resolved, or exceeds a limit. The error lists the invalid fields.
 */
export async function checkOverlay(ctx: Ctx, chat: ChatConfig, overlay: AgentOverlay): Promise<void> {
  const unknown = unknownTools(ctx, chat, overlay)
  const [first] = Object.values(unknown)
  if (first !== undefined) throw invalid(first, unknown)
  const merged = applyOverlay(chat, overlay)
  // The overlay is resolved alone first, so that errors have paths that its sender knows.
  const { tools } = await resolveAgent(ctx, ChatConfig.parse(overlay), { at: 'overlay' })
  checkAutoApprovedTools(tools, 'overlay.tools')
  await checkSchemas(ctx.ports.schemas, schemasOf(tools, 'overlay.tools'), laneOf(ctx))
  await resolveAgent(ctx, merged)
}

/**
 * Finds tools in the overlay that neither the server nor the agent has. Returns an error for each field that names one.
 */
function unknownTools(ctx: Ctx, chat: ChatConfig, overlay: AgentOverlay): Record<string, string> {
  const builtIn = new Set(ctx.ports.listedTools.map(({ name }) => name))
  const own = new Set(chat.tools.map(identityOf))
  return Object.fromEntries(
    overlay.tools.flatMap((tool, index) =>
      !isBuiltIn(tool) || builtIn.has(tool.name) || own.has(identityOf(tool))
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
