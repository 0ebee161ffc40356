import { type Answer, type Call, Question } from '#lib/protocol/call/call.ts'

/** The answer that a form stands for, or what is missing in it. The call's own schema judges the rest. */
export function answerOf(call: Call, form: URLSearchParams): Answer | { fault: string } {
  const reason = wordsOf(form, 'reason').slice(0, 4000)
  const why = reason === '' ? {} : { reason }
  const says = form.get('do')
  if (says !== 'yes' && says !== 'no') return { fault: 'No answer was sent. Select one of the buttons.' }
  if (call.kind !== 'question') return { approved: says === 'yes', ...why }
  return says === 'no' ? { declined: true, ...why } : chosen(call.input, form)
}

/** One choice or words, never both: what a stray word would do to a choice is not for us to guess. */
function chosen(input: unknown, form: URLSearchParams): Answer | { fault: string } {
  const { inputType, options = [] } = Question.parse(input)
  const words = wordsOf(form, 'text')
  const labels = form.getAll('choice').flatMap(index => options[Number(index)]?.label ?? [])
  const all = words === '' ? labels : [...labels, words]
  if (all.length === 0) return { fault: 'No answer was sent. Choose an option or write an answer first.' }
  if (inputType === 'multi-select') return { output: { answer: all } }
  if (all.length > 1) return { fault: 'Choose one option or write an answer, but not both.' }
  return { output: { answer: all[0] } }
}

/** What was written in a field. A form sends each end of a line as CR LF (HTML standard, "constructing the entry list"). */
const wordsOf = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').replaceAll('\r\n', '\n').trim()
