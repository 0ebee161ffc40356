import type { Agent } from '@waystation/protocol/agent/agent.ts'

/** An agent with how it is used: its open requests to people, its failed sessions, and its last activity. */
export type ListedAgent = Agent & {
  hasDraft: boolean
  requests: number
  failed: number
  usedAt: string | null
}
