import type { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'

/**
 * Creates a timer that calls `expire` when the watched status of an external agent expires. There is no event for it. Only
 * the last watched status counts.
 */
export function statusTimer(expire: () => void) {
  let watched: AgentStatus | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    watch(status: AgentStatus | undefined): void {
      if (status === watched) return
      watched = status
      clearTimeout(timer)
      if (status === undefined) return
      timer = setTimeout(expire, Math.max(0, Date.parse(status.expiresAt) - Date.now()))
    }
  }
}
