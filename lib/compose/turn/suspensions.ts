import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { Suspension } from '#lib/engine/calls/suspend-call.ts'
import type { ConnectionAsk, ConsentAsk } from '#lib/kernel/ports/connection-needed.ts'
import type { QuestionAsk } from '#lib/kernel/ports/question-needed.ts'

/**
 * Suspends a call that lacks an account, as a call of kind `connection`. If no account is connected, the call gets an
 * error that it did not run.
 */
export const forConnection = (ask: ConnectionAsk): Suspension => ({
  kind: 'connection',
  render: { kind: 'connect', ...ask }
})

/**
 * Suspends a call whose MCP server asks a person a question, as a call of kind `question`. The people
 * who can answer questions of this tool can answer it. Once answered, the call runs again, and the server
 * receives the answer when it repeats the question.
 */
export const forQuestion = (ask: QuestionAsk, answer: AnswerPolicy | undefined): Suspension => ({
  kind: 'question',
  render: { kind: 'elicit', ...ask },
  outputSchema: ask.schema,
  answer
})

/**
 * Suspends a call that would use one person's account although the agent has received text from
 * others. The call waits as an `approval` that only the owner of the account can answer. Once approved, it
 * runs again with that account.
 */
export const forConsent = ({ account }: ConsentAsk): Suspension => ({
  kind: 'approval',
  owner: { id: account.id, name: account.name },
  others: account.others ?? []
})
