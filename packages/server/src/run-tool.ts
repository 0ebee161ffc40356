import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ToolCall } from './tool-call.ts'

/** The largest output in bytes of JSON, which leaves room for the rest of an answer of 1 MiB. */
const maxBytes = 1024 * 1024 - 100
/** How many characters an error for the model can have. */
const maxErrorChars = 20_000
/** The longest time that timers can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1

const laterMark = Symbol('later')
/** The value that `execute` returns if the program answers the call itself, with `answer()`. */
export type Later = typeof laterMark

/** The call, and the ways to end it. */
export type ToolContext = Omit<ToolCall, 'input'> & {
  /** Aborts at the call's `deadline`. The server then accepts an answer only if a person extended the deadline. */
  signal: AbortSignal
  /** Return it to confirm receipt only. Store `answerUrl`, and call `answer()` before the deadline. */
  later: Later
}

/** An error whose message is meant for the model. The model does not see the messages of other errors. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** The outcome of a call: the answer to send, or that the program answers later. */
export type Result = { output: unknown } | { error: string } | { later: true }

/** The parts of a tool that run a call. */
export type Runnable = {
  inputSchema: StandardSchemaV1
  outputSchema?: StandardSchemaV1 | undefined
  execute(input: never, context: ToolContext): unknown
}

/** Runs a call. It never rejects: each failure is an error that the model can read. `report` receives the details. */
export async function run(
  { inputSchema, outputSchema, execute }: Runnable,
  { input, ...call }: ToolCall,
  report: (error: unknown) => void
): Promise<Result> {
  try {
    const given = await inputSchema['~standard'].validate(input)
    if (given.issues)
      return failed(
        'INVALID_INPUT',
        `The input does not match the schema of this tool. ${textOf(given.issues)}`
      )
    const left = Math.min(longestTimer, Date.parse(call.deadline) - Date.now())
    // A call that arrives after its deadline was extended.
    const signal = left > 0 ? AbortSignal.timeout(left) : new AbortController().signal
    const context: ToolContext = { ...call, signal, later: laterMark }
    const output = await execute(given.value as never, context)
    if (output === laterMark) return { later: true }
    const checked = (await outputSchema?.['~standard'].validate(output)) ?? { value: output }
    if (checked.issues) {
      report(new TypeError(`The output does not match outputSchema. ${textOf(checked.issues)}`))
      return invalidOutput
    }
    return fitting(checked.value ?? null, report)
  } catch (error) {
    if (error instanceof ToolError && error.message !== '')
      return { error: error.message.slice(0, maxErrorChars) }
    report(error)
    return failed('TOOL_FAILED', 'The tool failed. Only its operator can see the reason.')
  }
}

/** The answer to a call whose output was wrong. */
export const invalidOutput = failed(
  'INVALID_OUTPUT',
  'The tool ran, but its output does not match its schema.'
)
/** The answer to a call whose output was too large. */
export const tooLarge = failed('OUTPUT_TOO_LARGE', 'The tool ran, but its output is larger than 1 MiB.')

/** Returns the output as JSON can express it, or an error for the model. */
function fitting(output: unknown, report: (error: unknown) => void): Result {
  let json: string | undefined
  try {
    json = JSON.stringify(output)
  } catch (error) {
    report(error)
  }
  if (json === undefined) return failed('INVALID_OUTPUT', 'The tool ran, but its output is not JSON.')
  if (new TextEncoder().encode(json).length > maxBytes) return tooLarge
  return { output: JSON.parse(json) }
}

/** A function and not an arrow, because constants above use it. */
function failed(code: string, text: string): { error: string } {
  return { error: `${code}: ${text}`.slice(0, maxErrorChars) }
}

const textOf = (issues: readonly StandardSchemaV1.Issue[]): string =>
  issues
    .slice(0, 20)
    .map(({ path = [], message }) => {
      const place = path.map(part => String(typeof part === 'object' ? part.key : part)).join('.')
      return place === '' ? message : `${place}: ${message}`
    })
    .join('; ')
    .slice(0, 2_000)
