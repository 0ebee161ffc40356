import type { Answer } from '@waystation/protocol/call/call.ts'
import { ConnectResult } from '@waystation/protocol/connection/connection.ts'
import type { CallRow } from './call-row.ts'
import type { Settlement } from './settle.ts'

/**
 * Tells whether an answer carries text of its author to the agent. Such text steers the agent like a message,
 * so its author counts when an account is used (`account-of-call.ts`). A plain yes or no carries none.
 * Otherwise, approving a colleague's call would also require consent for the colleague's account.
 */
export function carriesAuthorText(
  { kind }: Pick<CallRow, 'kind'>,
  answer: Answer,
  { editedInput, elicited }: Partial<Settlement>
): boolean {
  // The model receives a fixed text for "continue?". The reason is only shown to people.
  if (kind === 'limit') return false
  if (editedInput !== undefined || elicited !== undefined) return true
  // The reason for an approval is also only shown to people.
  if ('approved' in answer) return !answer.approved && answer.reason !== undefined
  if ('declined' in answer) return kind !== 'connection' && answer.reason !== undefined
  return kind === 'connection' && 'output' in answer ? hasOwnReason(answer.output) : true
}

/** Tells whether a connection result contains a reason other than the standard ones that clients send. */
function hasOwnReason(output: unknown): boolean {
  const parsed = ConnectResult.pick({ reason: true }).safeParse(output)
  return parsed.data?.reason !== undefined && !standardReasons.has(parsed.data.reason)
}

const standardReasons = new Set(['declined', 'cancelled', 'failed', 'timeout', 'not_active'])
