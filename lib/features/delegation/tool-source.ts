import type { ToolSource } from '#lib/tools/registry.ts'
import { resolveBuiltIn } from '#lib/tools/resolve.ts'
import { handOffTool } from './hand-off.ts'
import { handOffTargets } from './hand-off-targets.ts'

/** Provides one handoff tool for each agent to which the agent can hand off. */
export const handOffSource: ToolSource = async (ctx, { sessionKey }, chat) => {
  const targets = await handOffTargets(ctx, sessionKey, chat)
  if (targets.length === 0) return undefined
  return { additional: answer => targets.map(target => resolveBuiltIn(handOffTool(target), { answer })) }
}
