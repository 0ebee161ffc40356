import { type Answerer, denialReason } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'

/** The signed-in user. An end user's page has a session token and knows neither field. */
type User = { id?: string; role?: string | undefined }

export const answererOf = ({ id, role }: User): Answerer =>
  id === undefined ? { unknown: true } : { id, role }

/** Returns the reason why this user cannot answer the call, by its policy; undefined if the user can. */
export const whyNotAnswerable = (call: Pick<Call, 'kind' | 'answerers'>, user: User) =>
  denialReason(call, answererOf(user))
