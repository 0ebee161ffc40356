import { AgentConfig, type ChatAgent } from '#lib/protocol/agent/agent.ts'

/** What a worker that begins a step has in hand of the sample agent, for a test that is the worker. */
export const guide = {
  revision: 1,
  overlay: null,
  overlayMark: null,
  config: AgentConfig.parse({ agentId: 'guide', displayName: 'Guide' }) as ChatAgent
}
