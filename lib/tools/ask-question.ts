import { Question } from '@waystation/protocol/call/question.ts'
import { z } from 'zod'
import type { Tool } from './tool.ts'

/** Asks the user a question and waits for the answer, for days if necessary (001-20). */
export const askQuestion: Tool<Question, { answer: string | string[] }> = {
  name: 'ask-question',
  description:
    'Ask the user a question and wait for the answer. Offer options if the answer is a choice. Use this tool when you cannot continue well without the answer.',
  input: z.object(Question.shape),
  where: 'approver',
  render: { kind: 'question' },
  title: input => input.question,
  outputFor(input) {
    const labels = (input.options ?? []).map(option => option.label)
    const acceptsText = input.allowFreeform || labels.length === 0 || input.inputType === 'text'
    const answerSchema = acceptsText
      ? z.string().min(1).max(20_000).regex(/\S/)
      : z.enum(labels as [string, ...string[]])
    return z.object({
      answer: input.inputType === 'multi-select' ? z.array(answerSchema).min(1).max(50) : answerSchema
    })
  }
}
