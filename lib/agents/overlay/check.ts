import { invalid } from '@waystation/base/api-error.ts'
import { checkSchemas, schemasOf } from '@waystation/json-schemas'
import { type AgentOverlay, ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { checkAutoApprovedTools, resolveAgent } from '#lib/agents/resolve-agent.ts'
import { unknownHandler } from '#lib/agents/unknown-references.ts'
import { unknownTools } from '#lib/agents/unknown-tools.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { applyOverlay } from './apply-overlay.ts'

/**
 * Throws `INVALID_INPUT` if the agent cannot run with this overlay: it names an unknown tool or handler, contains an embed that
 * cannot be resolved, or exceeds a limit. The error lists the invalid fields.
 */
export async function checkOverlay(ctx: Ctx, chat: ChatConfig, overlay: AgentOverlay): Promise<void> {
  const unknown = unknownTools(ctx, chat, overlay.tools).map(({ index, name }) => [
    `overlay.tools.${index}.name`,
    `There is no tool "${name}". GET /api/tools lists the available tools.`
  ])
  const [first] = unknown
  if (first !== undefined) throw invalid(first[1]!, Object.fromEntries(unknown))
  for (const { message } of unknownHandler(ctx, overlay.handler))
    throw invalid(message, { 'overlay.handler': message })
  const merged = applyOverlay(chat, overlay)
  // The overlay is resolved alone first, so that errors have paths that its sender knows.
  const { tools } = await resolveAgent(ctx, ChatConfig.parse(overlay), { at: 'overlay' })
  checkAutoApprovedTools(tools, 'overlay.tools')
  await checkSchemas(ctx.ports.schemas, schemasOf(tools, 'overlay.tools'), laneOf(ctx))
  await resolveAgent(ctx, merged)
}
