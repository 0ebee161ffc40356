import { digestOf } from '@waystation/base/digest.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import type { McpAnswers } from '@waystation/mcp-client'
import { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'

/** The maximum number of questions in a call, and the maximum length of a question in characters. */
const maxQuestions = 20
const maxMessageChars = 4000

/**
 * Answers a server's questions during a call: returns a user's earlier answer, or throws `QuestionNeeded` to
 * suspend the call. A question is identified by its message and schema, and by a counter if the call asks it
 * repeatedly.
 */
export function questionAnswers(service: string, elicited: readonly Elicited[]): McpAnswers {
  const counts = new Map<string, number>()
  return ({ message, schema }) => {
    const digest = digestOf({ message, schema }).slice(0, 32)
    const nth = (counts.get(digest) ?? 0) + 1
    counts.set(digest, nth)
    const question = `${digest}-${nth}`
    const answered = elicited.find(entry => entry.question === question)
    if (answered !== undefined) return answered.reply
    if (elicited.length >= maxQuestions)
      throw new ToolError(`The call asked more than ${maxQuestions} questions and was stopped.`)
    const checked = JsonSchema.safeParse(schema)
    if (!checked.success || message.length > maxMessageChars)
      throw new ToolError('The call asked a question that cannot be shown as a form, and was stopped.')
    const order = Object.keys(checked.data.properties as object)
    throw new QuestionNeeded({ service, message, schema: checked.data, order, question })
  }
}
