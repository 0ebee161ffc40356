import { buildKitEntry } from '#lib/agents/catalogue/build-kit.ts'
import type { AgentOverlay } from '#lib/protocol/agent/agent.ts'

/** What goes along with an agent for a playground: the overlay, as it comes with this server. */
export const buildKit = (): { playground_build_kit: { agent_template_overlay: AgentOverlay } } => ({
  playground_build_kit: { agent_template_overlay: buildKitEntry.data.parameters.overlay }
})
