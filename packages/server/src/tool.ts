import type { StandardSchemaV1 } from '@standard-schema/spec'
import { readBody } from './read-body.ts'
import { problem, respond } from './respond.ts'
import { type CallOutcome, runOnce, type ToolStore } from './run-once.ts'
import { type Later, run, type ToolContext } from './run-tool.ts'
import { isSigned, readSecrets, type Secret } from './signature.ts'
import { readCall, type ToolCall } from './tool-call.ts'
import { definitionOf } from './tool-definition.ts'

/** The largest request in bytes. Arguments have up to 512 Ki characters, each of which can need several bytes. */
const maxBytes = 4 * 1024 * 1024

export type ToolOptions<Input extends StandardSchemaV1, Output extends StandardSchemaV1> = {
  /** Letters, digits, `-` and `_`, at most 64. */
  name: string
  /** The name that users see. */
  title?: string
  /** Tells the model when to use the tool. */
  description?: string
  /** Checks the input and gives it its type. Zod 4 or another Standard Schema of an object. */
  inputSchema: Input
  /** Checks the output. */
  outputSchema?: Output
  /** The approval that the agent's form suggests: `ask` waits for a person before each call. Default: `auto`. */
  approval?: 'ask' | 'auto'
  secret: Secret
  /**
   * Runs a call, once for each `toolCallId` in this process. The model receives the return value, or the message of a
   * `ToolError`. It can take until the deadline: a slow call is confirmed in time and answered when it ends.
   */
  execute(
    input: StandardSchemaV1.InferOutput<Input>,
    context: ToolContext
  ): StandardSchemaV1.InferInput<Output> | Later | Promise<StandardSchemaV1.InferInput<Output> | Later>
  /** Stores calls for several processes and for restarts. Without it, they are only in the memory of this process. */
  store?: ToolStore
  /** After how many milliseconds a running call is confirmed. Default: 4000. The server waits 5000. */
  confirmAfterMs?: number
  /** Receives the work that continues after the response, for platforms that need it, such as `after` of Next.js. */
  waitUntil?(work: Promise<unknown>): void
  /** Receives errors that the model does not see. Default: `console.error`. */
  onError?(error: unknown, call: ToolCall): void
}

/** Answers requests of Waystation servers: `POST` runs a call, `GET` returns the tool's definition. */
export type ToolHandler = {
  (request: Request): Promise<Response>
  /**
   * Continues a call that your store has without a result, after a restart. Like a redelivery, it runs the call if
   * needed and sends the answer. After the deadline, it does nothing and returns `expired`.
   */
  resume(call: ToolCall): Promise<CallOutcome | { status: 'expired' }>
}

/** Returns the handler of a tool. Throws if the name or the secret is not valid. */
export function tool<Input extends StandardSchemaV1, Output extends StandardSchemaV1>(
  options: ToolOptions<Input, Output>
): ToolHandler {
  const { name, secret, store, confirmAfterMs = 4_000, waitUntil, onError = logError } = options
  if (!/^[\w-]{1,64}$/.test(name))
    throw new TypeError(`The name "${name}" is not valid. Use letters, digits, - and _.`)
  if (typeof secret !== 'function') readSecrets(secret)

  const report = (error: unknown, call: ToolCall) => {
    try {
      onError(error, call)
    } catch (another) {
      logError(another, call)
    }
  }
  const runCall = (call: ToolCall) => run(options, call, error => report(error, call))
  const handle = runOnce(runCall, store, report)

  async function receive(request: Request): Promise<Response> {
    const secrets = readSecrets(typeof secret === 'function' ? secret() : secret)
    const body = await readBody(request, maxBytes)
    if (body === undefined) return problem(413, 'TOO_LARGE', 'The request is larger than 4 MiB.')
    if (secrets !== false && !(await isSigned(secrets, request.headers, body)))
      return problem(
        401,
        'UNAUTHENTICATED',
        'No secret of this tool signed the request in the last five minutes.'
      )
    const call = readCall(body)
    if (call === undefined)
      return problem(400, 'INVALID_INPUT', 'The request is not a call of an external tool.')
    if (call.test) return respond(200, await runCall(call))
    const timer = Promise.withResolvers<undefined>()
    const timeout = setTimeout(timer.resolve, confirmAfterMs, undefined)
    const { recorded, outcome } = handle(call)
    try {
      const [first] = await Promise.all([Promise.race([outcome, timer.promise]), recorded])
      return responseOf(call, first, () => waitUntil?.(outcome))
    } catch {
      return problem(503, 'UNAVAILABLE', 'The store of this tool failed, so the call did not run.')
    } finally {
      clearTimeout(timeout)
    }
  }

  async function handler(request: Request): Promise<Response> {
    if (request.method === 'POST') return receive(request)
    if (request.method === 'GET') return respond(200, definitionOf(options))
    return problem(
      405,
      'METHOD_NOT_ALLOWED',
      'Send a POST request to run a call, or a GET request for the definition.'
    )
  }
  // Calls that the server delivers are open, even after this deadline, because a person can extend it.
  async function resume(call: ToolCall): Promise<CallOutcome | { status: 'expired' }> {
    return Date.parse(call.deadline) <= Date.now() ? { status: 'expired' } : handle(call).outcome
  }
  return Object.assign(handler, { resume })
}

/** Any 2xx confirms receipt. After a 502, the server can deliver the call again, and gets the same answer. */
function responseOf({ toolCallId }: ToolCall, outcome: CallOutcome | undefined, goOn: () => void): Response {
  const status = outcome?.status ?? 'running'
  switch (status) {
    case 'running':
      goOn()
      return respond(202, { toolCallId, status })
    case 'later':
      return respond(202, { toolCallId, status })
    case 'rejected':
    case 'unreachable':
      return problem(502, 'ANSWER_NOT_SENT', 'The tool ran, but the server did not accept its answer.')
    default:
      return respond(200, { toolCallId, status })
  }
}

const logError = (error: unknown, { toolName, toolCallId }: ToolCall) =>
  console.error(`The tool ${toolName} failed in the call ${toolCallId}.`, error)
