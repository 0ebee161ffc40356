import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'

/**
 * Returns whose own accounts a stored call can use now; null if it can use none. People who edited the
 * arguments or answered a question during the call are added to `others`.
 */
export function accountOfCall({
  accountOf: account,
  saidBy,
  answerer,
  state
}: Pick<CallRow, 'accountOf' | 'saidBy' | 'answerer' | 'state'>): CallAccount | null {
  if (account === null) return null
  const { asked = false, others: askers = [], ...owner } = account
  const steering = (saidBy ?? []).filter(({ id }) => id !== owner.id).map(({ name }) => name)
  const others = [...new Set([...askers, ...steering])]
  return {
    ...owner,
    ...(others.length === 0 ? {} : { others }),
    approved: asked && state === 'approved' && answerer?.id === owner.id
  }
}
