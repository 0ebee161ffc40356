import { invalid } from '#lib/kernel/refusal.ts'
import { type AgentOverlay, ChatConfig } from '#lib/protocol/agent/agent.ts'
import { mergeOverlay } from './merge.ts'

/**
 * A chat agent's configuration under a session's overlay, for one run: a copy that is stored nowhere; the configuration
 * itself where there is none. What the two come to is no configuration: `INVALID_INPUT`, which names the field.
 */
export function laidOver(chat: ChatConfig, overlay: AgentOverlay | null): ChatConfig {
  if (overlay === null) return chat
  const laid = ChatConfig.safeParse(mergeOverlay(chat, overlay))
  if (laid.success) return laid.data
  const [fault] = laid.error.issues
  const place = ['overlay', ...(fault?.path ?? [])].join('.')
  const why = fault?.message ?? 'unexpected value'
  throw invalid(
    `The overlay of this session does not fit its agent ("${place}": ${why}). Remove or replace the overlay.`,
    { [place]: why }
  )
}
