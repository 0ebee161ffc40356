import type { RefusalBody, RefusalCode } from '#lib/protocol/refusal.ts'

const brand: unique symbol = Symbol.for('waystation.Refusal')

/**
 * A request we understood and will not do. Thrown from anywhere below the door; `http/response/problem.ts` turns it into a
 * status. The message is for the person who asked: it says what to do next and never carries a stack or a secret.
 */
export class Refusal extends Error {
  readonly [brand] = true
  readonly code: RefusalCode
  readonly extra: Omit<RefusalBody, 'error' | 'code'>

  /** The server and Next's bundle have a copy of this class each (docs/concepts/engine.md#processes): what one throws the other knows. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }

  constructor(code: RefusalCode, message: string, extra: Omit<RefusalBody, 'error' | 'code'> = {}) {
    super(message)
    this.name = 'Refusal'
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
