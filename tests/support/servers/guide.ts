import { AgentConfig, type ChatAgent } from '@waystation/protocol/agent/agent.ts'

/** The sample agent as a worker has it when it starts a step, for tests that act as the worker. */
export const guide = {
  revision: 1,
  overlay: null,
  overlayMark: null,
  config: AgentConfig.parse({ agentId: 'guide', displayName: 'Guide' }) as ChatAgent
}
