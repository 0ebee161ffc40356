import { type ChatConfig, isBuiltIn } from '@waystation/protocol/agent/agent.ts'
import { identityOf } from '@waystation/protocol/agent/overlay-identity.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the built-in tools in a list that neither this server nor the agent has, with their index in the list. */
export function unknownTools(
  ctx: Ctx,
  chat: ChatConfig,
  tools: ChatConfig['tools']
): { index: number; name: string }[] {
  const builtIn = new Set(ctx.ports.listedTools.map(({ name }) => name))
  const own = new Set(chat.tools.map(identityOf))
  return tools.flatMap((tool, index) =>
    !isBuiltIn(tool) || builtIn.has(tool.name) || own.has(identityOf(tool))
      ? []
      : [{ index, name: tool.name }]
  )
}
