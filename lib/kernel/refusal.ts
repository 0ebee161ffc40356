import type { RefusalBody, RefusalCode } from '#lib/protocol/refusal.ts'
import { KnownError } from './known-error.ts'

/** A request that the server understood and does not carry out. `http/response/problem.ts` turns it into a status. */
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

/** Unknown, deleted and another workspace's are all alike (docs/concepts/engine.md#workspaces). */
export const notFound = (what: string, id: string) => new Refusal('NOT_FOUND', `There is no ${what} "${id}".`)

/** What was kept of a session is past its workspace's retention. Only its own workspace is told so. */
export const expired = (sessionId: string) =>
  new Refusal(
    'EXPIRED',
    `The session "${sessionId}" was deleted because it was inactive for the retention period of its workspace. Create a session with the same ID to start again.`
  )

export const invalid = (message: string, fields: Record<string, string> = {}) =>
  new Refusal('INVALID_INPUT', message, { fields })
