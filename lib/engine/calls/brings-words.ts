import type { Answer } from '#lib/protocol/call/call.ts'
import { ConnectResult } from '#lib/protocol/connection/connection.ts'
import type { CallRow } from './call-row.ts'
import type { Settlement } from './settle.ts'

/**
 * Whether an answer brings the agent words of whoever gives it: they steer it like a message, so they count when an account is
 * used (`account-of.ts`). A yes or no alone brings none: else whoever approves something for a colleague would ask for their account.
 */
export function bringsWords(
  { kind }: Pick<CallRow, 'kind'>,
  answer: Answer,
  { editedInput, elicited }: Partial<Settlement>
): boolean {
  // What is said to "continue?" is for people: the model is told words of ours.
  if (kind === 'limit') return false
  if (editedInput !== undefined || elicited !== undefined) return true
  // So is why somebody says yes.
  if ('approved' in answer) return !answer.approved && answer.reason !== undefined
  if ('declined' in answer) return kind !== 'connection' && answer.reason !== undefined
  return kind === 'connection' && 'output' in answer ? saysWhy(answer.output) : true
}

/** Why there is no account, in other words than the few that a client says by itself. */
function saysWhy(output: unknown): boolean {
  const said = ConnectResult.pick({ reason: true }).safeParse(output)
  return said.data?.reason !== undefined && !ownReasons.has(said.data.reason)
}

const ownReasons = new Set(['declined', 'cancelled', 'failed', 'timeout', 'not_active'])
