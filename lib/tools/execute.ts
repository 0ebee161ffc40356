import type { Outbound } from '#lib/kernel/ctx.ts'
import { KnownError } from '#lib/kernel/known-error.ts'
import { log } from '#lib/kernel/log.ts'
import { ConnectionNeeded, ConsentNeeded, type ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { QuestionNeeded } from '#lib/kernel/ports/question-needed.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'
import { type CheckBySchema, fitArguments } from './fit-arguments.ts'
import type { ResolvedTool, ResolvedTools } from './resolve.ts'
import type { RunningCall, ToolRun } from './tool.ts'

/** The most a tool's answer may be, as JSON: more is cut off with a note, not stored. */
const maxResultChars = 1_000_000

/** What a tool's run is made of; the call brings the rest. */
export type ToolHost = Pick<ToolRun, 'ctx' | 'lease' | 'fetch'> &
  Pick<RunningCall, 'turnId' | 'generation' | 'speakerId'> & { checkBySchema: CheckBySchema }

/** How long a call may take, in seconds: a tool that says nothing itself, and what its step's calls still have together. */
export type Time = { seconds: number; left: number; together: number }

/**
 * Runs a server tool within its time, and within that of its step's calls, unless its agent gives it
 * more than that. Whatever goes wrong is an answer the model can read; a tool that ignores its
 * signal is not waited for longer than that. One that lacks an account is not run to a result, unless it has changed
 * something before: then it is not to be begun again, and the model is told how far it came. Nor is one whose server asks a
 * person something.
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
  { ctx, lease, fetch, checkBySchema, ...at }: ToolHost,
  signal: AbortSignal,
  time: Time
): Promise<ToolOutcome> {
  const tool = tools.get(call.toolName)
  const server = tool?.server
  if (tool === undefined || server?.execute === undefined)
    return { type: 'error', text: `There is no tool "${call.toolName}" that runs on the server.` }
  if (tool.off !== undefined) return { type: 'error', text: tool.off }
  // Whatever opened it without a question (a version before this one, a fault of ours): it is not run.
  if (tool.alwaysAsked && !call.approved)
    return { type: 'error', text: `The call of ${call.toolName} did not run, because it was not approved.` }
  const input = await fitArguments(tool, call.input, checkBySchema)
  if (!input.ok) return { type: 'error', text: `The arguments are not valid: ${input.words}` }

  const { seconds, over } = limitOf(tool, time)
  if (seconds <= 0) return { type: 'error', text: over }
  const late = AbortSignal.timeout(Math.ceil(seconds * 1000))
  const either = AbortSignal.any([signal, late])
  const ended = new Promise<CallResult>(resolve => {
    const end = () =>
      resolve({
        type: 'error',
        text: late.aborted ? over : 'The call was stopped.'
      })
    if (either.aborted) end()
    either.addEventListener('abort', end, { once: true })
  })
  let acted = false
  // Every request of a tool ends with the tool, and says which call it is for (docs/concepts/engine.md#claims).
  const outward: Outbound = async (url, init) => {
    const answer = await fetch(url, {
      ...init,
      signal: either,
      headers: { 'idempotency-key': call.toolCallId, ...init?.headers }
    })
    const changes = init?.changes ?? !/^(GET|HEAD|OPTIONS)$/i.test(init?.method ?? 'GET')
    if (changes && answer.status !== 401 && answer.status !== 403) acted = true
    return answer
  }
  const work = server
    .execute(input.value as never, {
      ctx,
      lease,
      call: {
        ...at,
        toolCallId: call.toolCallId,
        account: call.account ?? null,
        elicited: call.elicited ?? [],
        wikis: tool.wikis
      },
      signal: either,
      fetch: outward
    })
    .then((value): ToolOutcome => {
      const size = JSON.stringify(value ?? null).length
      if (size > maxResultChars)
        return {
          type: 'error',
          text: `The result has ${size} characters. The limit is ${maxResultChars}.`
        }
      return { type: 'output', value: value ?? null }
    })
    .catch((error: unknown): ToolOutcome => {
      if (error instanceof QuestionNeeded)
        return { type: 'ask', ask: error.ask, ...(tool.answer === undefined ? {} : { answer: tool.answer }) }
      if (error instanceof ConnectionNeeded && !acted) return { type: 'connect', ask: error.ask }
      if (error instanceof ConsentNeeded && !acted) return { type: 'consent', ask: error.ask }
      // Nobody reads what a call that was stopped still throws.
      const text = either.aborted ? 'The call was stopped.' : wordsOf(call.toolName, error)
      return error instanceof ConnectionNeeded || error instanceof ConsentNeeded
        ? {
            type: 'error',
            text: `${text} A part of the work is already done. Request the connection, check what exists, then do the rest.`
          }
        : { type: 'error', text }
    })
  return Promise.race([work, ended])
}

/** What the model is told of a failure. A bug's own words are for the log. */
function wordsOf(tool: string, error: unknown): string {
  if (error instanceof KnownError) return error.message
  log('error', 'A tool failed unexpectedly.', { tool, error })
  return 'The tool failed because of an error in the server. Try another way, or tell the user.'
}

/**
 * How long this call may run now, and what is said when that is over. What its agent gives it on purpose beyond the time of a
 * step's calls, it has.
 */
function limitOf(
  { timeoutSeconds, repeatable, server, foreign }: ResolvedTool,
  { seconds, left, together }: Time
): { seconds: number; over: string } {
  // A workspace may give the tools of other programs more than their default.
  const usual = foreign ? Math.max(server?.timeout ?? 0, seconds) : (server?.timeout ?? seconds)
  const own = timeoutSeconds ?? usual
  const rest = timeoutSeconds !== undefined && timeoutSeconds > together ? own : left
  if (rest <= 0)
    return {
      seconds: 0,
      over: `The call did not run: the calls of this step took longer than ${together} s.`
    }
  const unsure = repeatable ? '' : ' Its effect is unknown: check before you repeat it.'
  return rest < own
    ? {
        seconds: rest,
        over: `The call was stopped: the calls of this step took longer than ${together} s together.${unsure}`
      }
    : { seconds: own, over: `The call took longer than ${own} s and was stopped.${unsure}` }
}
