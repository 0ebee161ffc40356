import { KnownError } from '#lib/kernel/known-error.ts'
import type { AccountOf, AnswerPolicy } from '#lib/protocol/call/answerers.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { ConnectMode } from '#lib/protocol/connection/connection.ts'
import type { QuestionAsk } from './question-needed.ts'

/** What a tool lacks: an account at a service under this name, or further scopes of it. `why` is a sentence for people. */
export type ConnectionAsk = {
  integration: string
  slug: string
  service: string
  modes: ConnectMode[]
  why: string
  scopes?: string[]
}

/** Thrown by an authorised request that cannot be made: the tool's call waits for a connection, and runs again with it. */
export class ConnectionNeeded extends KnownError {
  static override readonly kind: string = 'ConnectionNeeded'
  readonly ask: ConnectionAsk

  constructor(ask: ConnectionAsk) {
    super(ask.why)
    this.ask = ask
  }
}

/** The account that would be used, and at which service. Its owner must allow it because others asked too. */
export type ConsentAsk = { service: string; account: AccountOf }

/** Thrown before a person's own account is used for several askers: the call asks its owner, then runs again. */
export class ConsentNeeded extends KnownError {
  static override readonly kind: string = 'ConsentNeeded'
  readonly ask: ConsentAsk

  constructor(ask: ConsentAsk) {
    super(`${ask.account.name} must first allow the use of their ${ask.service} account.`)
    this.ask = ask
  }
}

/**
 * What running a tool came to: its result; that it lacks an account, or needs its owner's word, and
 * has done nothing; or that its server asks a person
 * something first, who those of `answer` are.
 */
export type ToolOutcome =
  | CallResult
  | { type: 'connect'; ask: ConnectionAsk }
  | { type: 'consent'; ask: ConsentAsk }
  | { type: 'ask'; ask: QuestionAsk; answer?: AnswerPolicy }
