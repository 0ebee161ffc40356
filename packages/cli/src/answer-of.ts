import type { Answer, Call } from '@waystation/client'
import { questionIn } from './describe-call.ts'
import { UsageError } from './fault.ts'

/** The options of `waystation answer` that make up the answer. */
export type AnswerValues = {
  approve?: boolean
  decline?: boolean
  text?: string[]
  json?: string
  reason?: string
  input?: string
}

const seeHelp = 'Run "waystation answer --help".'

/** Returns the answer to a call. Throws a `UsageError` if the options do not make up one answer. */
export function answerOf(
  { approve, decline, text, json, reason, input }: AnswerValues,
  call: Pick<Call, 'kind' | 'input' | 'render'>
): Answer {
  const forms = [approve, decline, text, json].filter(form => form !== undefined)
  if (forms.length !== 1)
    throw new UsageError(`Set exactly one of --approve, --decline, --text and --json. ${seeHelp}`)
  if (reason !== undefined && !approve && !decline)
    throw new UsageError(`--reason needs --approve or --decline. ${seeHelp}`)
  if (input !== undefined && !approve) throw new UsageError(`--input needs --approve. ${seeHelp}`)

  const why = reason === undefined ? {} : { reason }
  const question = questionIn(call)
  const asked = question === undefined ? {} : { question }
  if (approve)
    return { approved: true, ...why, ...(input === undefined ? {} : { input: parsed('--input', input) }) }
  if (decline)
    return call.kind === 'approval' || call.kind === 'limit'
      ? { approved: false, ...why }
      : { declined: true, ...why, ...asked }
  if (json !== undefined) return { output: parsed('--json', json), ...asked }
  return { output: outputOf(text ?? [], call, question !== undefined), ...asked }
}

/** Questions of the agent take `{answer}`: a text, or a list for a question with several options. */
function outputOf(
  texts: string[],
  { kind, input }: Pick<Call, 'kind' | 'input'>,
  isElicited: boolean
): unknown {
  const isList =
    texts.length > 1 ||
    (typeof input === 'object' &&
      input !== null &&
      'inputType' in input &&
      input.inputType === 'multi-select')
  const value = isList ? texts : texts[0]
  return kind === 'question' && !isElicited ? { answer: value } : value
}

function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      `The value of ${option} is not JSON. Put texts in double quotes inside single quotes.`
    )
  }
}
