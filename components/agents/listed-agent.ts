import type { Agent } from '@waystation/protocol/agent/agent.ts'

/** An agent with how it is used. `usedAt`: when one of its sessions was active last. */
export type ListedAgent = Agent & {
  hasDraft: boolean
  sessions: number
  waiting: number
  failed: number
  usedAt: string | null
}
