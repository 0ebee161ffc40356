import { invalid } from '@waystation/base/api-error.ts'
import { type AgentOverlay, ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { mergeOverlay } from '@waystation/protocol/agent/merge-overlay.ts'

/**
 * Applies a session's overlay to a chat agent's configuration, for one run. Returns a copy, or the configuration itself
 * without an overlay. Throws `INVALID_INPUT` with the field if the result is not a valid configuration.
 */
export function applyOverlay(chat: ChatConfig, overlay: AgentOverlay | null): ChatConfig {
  if (overlay === null) return chat
  const parsed = ChatConfig.safeParse(mergeOverlay(chat, overlay))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = ['overlay', ...(issue?.path ?? [])].join('.')
  const reason = issue?.message ?? 'unexpected value'
  throw invalid(
    `The overlay of this session does not fit its agent ("${field}": ${reason}). Remove or replace the overlay.`,
    { [field]: reason }
  )
}
