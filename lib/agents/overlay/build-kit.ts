import type { AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import { buildKitEntry } from '#lib/agents/catalogue/build-kit.ts'

/** Returns the overlay that a playground adds to an agent. */
export const buildKit = (): { playground_build_kit: { agent_template_overlay: AgentOverlay } } => ({
  playground_build_kit: { agent_template_overlay: buildKitEntry.data.parameters.overlay }
})
