import type { CallResult } from '#lib/protocol/call.ts'
import type { ConnectMode } from '#lib/protocol/connection.ts'

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
export class ConnectionNeeded extends Error {
  readonly ask: ConnectionAsk

  constructor(ask: ConnectionAsk) {
    super(ask.why)
    this.name = 'ConnectionNeeded'
    this.ask = ask
  }
}

/** What running a tool came to: its result, or that it lacks an account, and has done nothing. */
export type ToolOutcome = CallResult | { type: 'connect'; ask: ConnectionAsk }
