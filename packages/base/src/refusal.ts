import type { RefusalBody, RefusalCode } from '@waystation/protocol/refusal.ts'
import { KnownError } from './known-error.ts'

/** An expected error of a request. `http/response/problem.ts` maps its code to a status. */
export class Refusal extends KnownError {
  static override readonly kind: string = 'Refusal'
  readonly code: RefusalCode
  readonly extra: Omit<RefusalBody, 'error' | 'code'>

  constructor(code: RefusalCode, message: string, extra: Omit<RefusalBody, 'error' | 'code'> = {}) {
    super(message)
    this.code = code
    this.extra = extra
  }
}

/** Unknown and deleted resources, and those of other workspaces, look the same to the caller. */
export const notFound = (what: string, id: string) => new Refusal('NOT_FOUND', `There is no ${what} "${id}".`)

/** A session that was deleted after its retention period. Only its own workspace gets this error. */
export const expired = (sessionId: string) =>
  new Refusal(
    'EXPIRED',
    `The session "${sessionId}" was deleted because it was inactive for the retention period of its workspace. Create a session with the same ID to start again.`
  )

/** An `INVALID_INPUT` error. `fields` has the error of each field. */
export const invalid = (message: string, fields: Record<string, string> = {}) =>
  new Refusal('INVALID_INPUT', message, { fields })
