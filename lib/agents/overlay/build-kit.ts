import type { AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import { mergeOverlay } from '@waystation/protocol/agent/merge-overlay.ts'
import { identityOf } from '@waystation/protocol/agent/overlay-identity.ts'
import { buildKitEntry } from '#lib/agents/catalogue/build-kit.ts'

const kit = buildKitEntry.data.parameters.overlay

/** Returns the overlay that a playground adds to an agent. */
export const buildKit = (): { playground_build_kit: { agent_template_overlay: AgentOverlay } } => ({
  playground_build_kit: { agent_template_overlay: kit }
})

/** Returns an overlay with the build kit added to it. */
export const withBuildKit = (overlay: AgentOverlay | null): AgentOverlay =>
  mergeOverlay(overlay ?? {}, kit) as AgentOverlay

/** Returns an overlay without the tools and skills of the build kit. Null if nothing else is in it. */
export function withoutBuildKit(overlay: AgentOverlay | null): AgentOverlay | null {
  if (overlay === null) return null
  const tools = without(overlay.tools, kit.tools)
  const skills = without(overlay.skills, kit.skills)
  const isEmpty = tools.length === 0 && skills.length === 0 && overlay.handler === undefined
  return isEmpty ? null : { ...overlay, tools, skills }
}

/** Tells if an overlay contains all tools and skills of the build kit. */
export const hasBuildKit = (overlay: AgentOverlay | null): boolean =>
  overlay !== null &&
  without(kit.tools, overlay.tools).length === 0 &&
  without(kit.skills, overlay.skills).length === 0

const without = <Item>(items: readonly Item[], others: readonly unknown[]): Item[] => {
  const identities = new Set(others.map(identityOf))
  return items.filter(item => !identities.has(identityOf(item)))
}
