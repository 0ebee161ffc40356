import { KnownError, ToolError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import type { Outbound } from '@waystation/egress'
import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import { ConnectionNeeded, ConsentNeeded, type ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'
import { type CheckBySchema, fitArguments } from './fit-arguments.ts'
import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'
import type { RunningCall, ToolRun } from './tool.ts'

/** Maximum size of a tool's result as JSON. A larger result becomes an error. */
const maxResultChars = 1_000_000

/** The context that a tool runs in. The call has the rest. */
export type ToolContext = Pick<ToolRun, 'ctx' | 'lease' | 'fetch'> &
  Pick<RunningCall, 'turnId' | 'generation' | 'speakerId'> & { checkBySchema: CheckBySchema }

/** Time limits of a call in seconds: the default per call, what is left of the step's limit, and the step's limit. */
export type Time = { seconds: number; remaining: number; together: number }

/**
 * Runs a server tool. Its own time limit and the rest of the step's limit apply, unless the agent's configuration sets
 * a longer limit. Failures become results that the model can read. A tool that ignores its signal is not waited for.
 * A tool that needs an account or an answer from a user returns that outcome and runs again later. If it has already
 * changed something, it must not start again, so a missing account becomes an error that says so.
 */
export async function executeTool(
  tools: ResolvedTools,
  call: {
    toolCallId: string
    toolName: string
    input: unknown
    approved?: boolean
    account?: CallAccount | null
    elicited?: readonly Elicited[]
  },
  { ctx, lease, fetch, checkBySchema, ...callIds }: ToolContext,
  signal: AbortSignal,
  time: Time
): Promise<ToolOutcome> {
  const tool = tools.get(call.toolName)
  const server = tool?.server
  if (tool === undefined || server?.execute === undefined)
    return { type: 'error', text: `There is no tool "${call.toolName}" that runs on the server.` }
  if (tool.unavailable !== undefined) return { type: 'error', text: tool.unavailable }
  // A call can be opened without approval by an older version or a bug. It must not run.
  if (tool.alwaysAsked && !call.approved)
    return { type: 'error', text: `The call of ${call.toolName} did not run, because it was not approved.` }
  const input = await fitArguments(tool, call.input, checkBySchema)
  if (!input.ok) return { type: 'error', text: `The arguments are not valid: ${input.error}` }

  const { seconds, over: timeoutText } = timeLimit(tool, time)
  if (seconds <= 0) return { type: 'error', text: timeoutText }
  const timeoutMs = Math.ceil(seconds * 1000)
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const callSignal = AbortSignal.any([signal, timeoutSignal])
  const stopped = new Promise<CallResult>(resolve => {
    const stop = () =>
      resolve({
        type: 'error',
        text: timeoutSignal.aborted ? timeoutText : 'The call was stopped.'
      })
    if (callSignal.aborted) stop()
    callSignal.addEventListener('abort', stop, { once: true })
  })
  let hasChanged = false
  // Every request of a tool ends with the tool, and has the call's ID as its key (docs/concepts/engine.md#claims).
  const callFetch: Outbound = async (url, init) => {
    const response = await fetch(url, {
      ...init,
      signal: callSignal,
      headers: { 'idempotency-key': call.toolCallId, ...init?.headers }
    })
    const changes = init?.changes ?? !/^(GET|HEAD|OPTIONS)$/i.test(init?.method ?? 'GET')
    if (changes && response.status !== 401 && response.status !== 403) hasChanged = true
    return response
  }
  const work = server
    .execute(input.value as never, {
      ctx,
      lease,
      call: {
        ...callIds,
        toolCallId: call.toolCallId,
        account: call.account ?? null,
        elicited: call.elicited ?? [],
        wikis: tool.wikis
      },
      signal: callSignal,
      timeoutMs,
      fetch: callFetch
    })
    .then((value): ToolOutcome => {
      checkSize(JSON.stringify(value ?? null))
      return { type: 'output', value: value ?? null }
    })
    .catch((error: unknown): ToolOutcome => {
      if (error instanceof QuestionNeeded)
        return { type: 'ask', ask: error.ask, ...(tool.answer === undefined ? {} : { answer: tool.answer }) }
      if (error instanceof ConnectionNeeded && !hasChanged) return { type: 'connect', ask: error.ask }
      if (error instanceof ConsentNeeded && !hasChanged) return { type: 'consent', ask: error.ask }
      // The result of a stopped call is not used.
      const text = callSignal.aborted ? 'The call was stopped.' : errorText(call.toolName, error)
      return error instanceof ConnectionNeeded || error instanceof ConsentNeeded
        ? {
            type: 'error',
            text: `${text} A part of the work is already done. Request the connection, check what exists, then do the rest.`
          }
        : { type: 'error', text }
    })
  return Promise.race([work, stopped])
}

/** Throws a `ToolError` if a result, as JSON, is too large. */
export function checkSize({ length }: string): void {
  if (length > maxResultChars)
    throw new ToolError(`The result has ${length} characters. The limit is ${maxResultChars}.`)
}

/** Returns the text of an error for the model. The message of a bug is only logged. */
function errorText(tool: string, error: unknown): string {
  if (error instanceof KnownError) return error.message
  log('error', 'A tool failed unexpectedly.', { tool, error })
  return 'The tool failed because of an error in the server. Try another way, or tell the user.'
}

/**
 * Returns the time limit of a call, and the error when it is exceeded. A limit in the agent's configuration can exceed
 * the step's limit.
 */
function timeLimit(
  { timeoutSeconds, repeatable, server, foreign }: ResolvedTool,
  { seconds, remaining, together }: Time
): { seconds: number; over: string } {
  // The workspace's default can extend the limit of foreign tools.
  const defaultSeconds = foreign ? Math.max(server?.timeout ?? 0, seconds) : (server?.timeout ?? seconds)
  const ownSeconds = timeoutSeconds ?? defaultSeconds
  const restSeconds = timeoutSeconds !== undefined && timeoutSeconds > together ? ownSeconds : remaining
  if (restSeconds <= 0)
    return {
      seconds: 0,
      over: `The call did not run: the calls of this step took longer than ${together} s.`
    }
  const warning = repeatable ? '' : ' Its effect is unknown: check before you repeat it.'
  return restSeconds < ownSeconds
    ? {
        seconds: restSeconds,
        over: `The call was stopped: the calls of this step took longer than ${together} s together.${warning}`
      }
    : { seconds: ownSeconds, over: `The call took longer than ${ownSeconds} s and was stopped.${warning}` }
}
