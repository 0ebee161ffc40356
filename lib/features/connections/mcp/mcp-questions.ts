import { digestOf } from '#lib/kernel/digest.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import type { McpAnswers } from '#lib/kernel/ports/mcp-talk.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'
import { JsonSchema } from '#lib/protocol/agent/agent.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'

/** The most questions of one call, and the longest that one is, in characters. */
const mostQuestions = 20
const longestMessage = 4000

/**
 * What a server is told when it asks a person something in the middle of a call: what people answered before, and else that the
 * call waits for them (`QuestionNeeded`). A question is known by its words and its schema; the same one asked again in one
 * call is the next one.
 */
export function answering(service: string, elicited: readonly Elicited[]): McpAnswers {
  const asked = new Map<string, number>()
  return ({ message, schema }) => {
    const digest = digestOf({ message, schema }).slice(0, 32)
    const nth = (asked.get(digest) ?? 0) + 1
    asked.set(digest, nth)
    const question = `${digest}-${nth}`
    const known = elicited.find(one => one.question === question)
    if (known !== undefined) return known.reply
    if (elicited.length >= mostQuestions)
      throw new ToolError(`The call asked more than ${mostQuestions} questions and was stopped.`)
    const checked = JsonSchema.safeParse(schema)
    if (!checked.success || message.length > longestMessage)
      throw new ToolError('The call asked a question that cannot be shown as a form, and was stopped.')
    const order = Object.keys(checked.data.properties as object)
    throw new QuestionNeeded({ service, message, schema: checked.data, order, question })
  }
}
