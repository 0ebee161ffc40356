import { KnownError } from '@waystation/base/known-error.ts'
import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'

/** A question of an MCP server for a user, which becomes an `ElicitHint`. */
export type QuestionAsk = {
  service: string
  message: string
  schema: JsonSchema
  order: string[]
  question: string
}

/** Thrown by a tool whose MCP server asks a user something. The call waits for the answer, and then runs again. */
export class QuestionNeeded extends KnownError {
  static override readonly kind: string = 'QuestionNeeded'
  readonly ask: QuestionAsk

  constructor(ask: QuestionAsk) {
    super(ask.message)
    this.ask = ask
  }
}
