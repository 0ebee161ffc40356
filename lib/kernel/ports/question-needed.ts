import { KnownError } from '#lib/kernel/known-error.ts'
import type { JsonSchema } from '#lib/protocol/agent/agent.ts'

/** What a server asks a person before it goes on: an `ElicitHint` to be. */
export type QuestionAsk = {
  service: string
  message: string
  schema: JsonSchema
  order: string[]
  question: string
}

/** Thrown by a tool whose server asks a person something: its call waits for the answer, and runs again with it. */
export class QuestionNeeded extends KnownError {
  static override readonly kind: string = 'QuestionNeeded'
  readonly ask: QuestionAsk

  constructor(ask: QuestionAsk) {
    super(ask.message)
    this.ask = ask
  }
}
