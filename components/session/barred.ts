import { type Answerer, denialReason } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { Me } from './session-context.ts'

/** What is known here of who looks; nothing of an end user's page, which has a session token. */
export const answererOf = ({ id, role }: Pick<Me, 'id' | 'role'>): Answerer =>
  id === undefined ? { unknown: true } : { id, role }

/** Why this person may not answer this call, by the policy that it opened with; undefined: nothing bars them. */
export const barredFrom = (call: Pick<Call, 'kind' | 'answerers'>, me: Pick<Me, 'id' | 'role'>) =>
  denialReason(call, answererOf(me))
