import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { Question } from '@waystation/protocol/call/question.ts'

/**
 * Converts a form to an answer, or returns what is missing in it as `error`. The call's own schema validates the rest.
 */
export function answerOf(call: Call, form: URLSearchParams): Answer | { error: string } {
  const reason = textOf(form, 'reason').slice(0, 4000)
  const withReason = reason === '' ? {} : { reason }
  const decision = form.get('do')
  if (decision !== 'yes' && decision !== 'no')
    return { error: 'No answer was sent. Select one of the buttons.' }
  if (call.kind !== 'question') return { approved: decision === 'yes', ...withReason }
  return decision === 'no' ? { declined: true, ...withReason } : questionAnswer(call.input, form)
}

/** Accepts either a choice or a text, but not both, because the meaning of a text next to a choice is unclear. */
function questionAnswer(input: unknown, form: URLSearchParams): Answer | { error: string } {
  const { inputType, options = [] } = Question.parse(input)
  const text = textOf(form, 'text')
  const labels = form.getAll('choice').flatMap(index => options[Number(index)]?.label ?? [])
  const answers = text === '' ? labels : [...labels, text]
  if (answers.length === 0) return { error: 'No answer was sent. Choose an option or write an answer first.' }
  if (inputType === 'multi-select') return { output: { answer: answers } }
  if (answers.length > 1) return { error: 'Choose one option or write an answer, but not both.' }
  return { output: { answer: answers[0] } }
}

/** Reads a field. A form sends each line break as CR LF (HTML standard, "constructing the entry list"). */
const textOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').replaceAll('\r\n', '\n').trim()
