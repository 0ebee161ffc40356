import { KnownError } from '@waystation/base/known-error.ts'
import type { AccountOf, AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { ConnectMode } from '@waystation/protocol/connection/connection.ts'
import type { QuestionAsk } from './question-needed.ts'

/** The account that a tool needs, or additional scopes of an account. `why` is a sentence for users. */
export type ConnectionAsk = {
  integration: string
  slug: string
  service: string
  modes: ConnectMode[]
  why: string
  scopes?: string[]
}

/**
 * Thrown by an authorized request without a usable account. The tool's call waits for a connection, and then runs
 * again.
 */
export class ConnectionNeeded extends KnownError {
  static override readonly kind: string = 'ConnectionNeeded'
  readonly ask: ConnectionAsk

  constructor(ask: ConnectionAsk) {
    super(ask.why)
    this.ask = ask
  }
}

/** The account to use, and its service. Its owner must agree, because other people sent messages too. */
export type ConsentAsk = { service: string; account: AccountOf }

/**
 * Thrown before a call uses a user's own account on behalf of several people. The call asks the owner, and then runs
 * again.
 */
export class ConsentNeeded extends KnownError {
  static override readonly kind: string = 'ConsentNeeded'
  readonly ask: ConsentAsk

  constructor(ask: ConsentAsk) {
    super(`${ask.account.name} must first allow the use of their ${ask.service} account.`)
    this.ask = ask
  }
}

/**
 * The outcome of a tool run: its result, or a reason to wait. If it needs an account or consent, it has had no effect
 * yet. If its MCP server asks a question, `answer` restricts who can answer.
 */
export type ToolOutcome =
  | CallResult
  | { type: 'connect'; ask: ConnectionAsk }
  | { type: 'consent'; ask: ConsentAsk }
  | { type: 'ask'; ask: QuestionAsk; answer?: AnswerPolicy }
