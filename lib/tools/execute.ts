import { ConnectionNeeded, type ToolOutcome } from '#lib/kernel/connection-needed.ts'
import type { Outbound } from '#lib/kernel/ctx.ts'
import type { CallResult } from '#lib/protocol/call.ts'
import type { ResolvedTools } from './resolve.ts'
import type { ToolContext, WikiReader } from './tool.ts'

/** The most a tool's answer may be, as JSON: more is cut off with a note, not stored. */
const maxResultChars = 1_000_000

/** What a tool's context is made of. `fetchAs` gets the way out that it is to use, `wikis` those that it may read. */
export type ToolOutside = Omit<ToolContext, 'signal' | 'callId' | 'fetchAs' | 'wikis'> & {
  fetchAs: (fetch: Outbound) => ToolContext['fetchAs']
  wikis: (allowed: readonly string[] | undefined) => WikiReader
}

/**
 * Runs a server tool within its time. Whatever goes wrong is an answer the model can read; a tool that ignores its
 * signal is not waited for longer than that. One that lacks an account is not run to a result, unless it has changed
 * something before: then it is not to be begun again, and the model is told how far it came.
 */
export async function executeTool(
  tools: ResolvedTools,
  call: { toolCallId: string; toolName: string; input: unknown },
  ctx: ToolOutside,
  signal: AbortSignal
): Promise<ToolOutcome> {
  const tool = tools.get(call.toolName)
  const server = tool?.server
  if (tool === undefined || server?.execute === undefined)
    return { type: 'error', text: `There is no tool "${call.toolName}" here that runs on the server.` }
  const input = server.input.safeParse(call.input)
  if (!input.success) return { type: 'error', text: `The arguments do not fit: ${input.error.message}` }

  const late = AbortSignal.timeout(tool.timeoutSeconds * 1000)
  const either = AbortSignal.any([signal, late])
  const ended = new Promise<CallResult>(resolve => {
    const end = () =>
      resolve({
        type: 'error',
        text: late.aborted
          ? `It took longer than ${tool.timeoutSeconds} s and was stopped.`
          : 'It was stopped.'
      })
    if (either.aborted) end()
    either.addEventListener('abort', end, { once: true })
  })
  let acted = false
  // Every request of a tool ends with the tool, and says which call it is for (design 2.8).
  const outward: Outbound = async (url, init) => {
    const answer = await ctx.fetch(url, {
      ...init,
      signal: either,
      headers: { 'idempotency-key': call.toolCallId, ...init?.headers }
    })
    const changes = init?.changes ?? !/^(GET|HEAD|OPTIONS)$/i.test(init?.method ?? 'GET')
    if (changes && answer.status !== 401 && answer.status !== 403) acted = true
    return answer
  }
  const work = server
    .execute(input.data as never, {
      ...ctx,
      signal: either,
      callId: call.toolCallId,
      fetch: outward,
      fetchAs: ctx.fetchAs(outward),
      wikis: ctx.wikis(tool.wikis)
    })
    .then((value): ToolOutcome => {
      const size = JSON.stringify(value ?? null).length
      if (size > maxResultChars)
        return {
          type: 'error',
          text: `The result is ${size} characters long; at most ${maxResultChars} can be given to the model.`
        }
      return { type: 'output', value: value ?? null }
    })
    .catch((error: unknown): ToolOutcome => {
      if (error instanceof ConnectionNeeded && !acted) return { type: 'connect', ask: error.ask }
      const text = error instanceof Error ? error.message : String(error)
      return error instanceof ConnectionNeeded
        ? {
            type: 'error',
            text: `${text} A part of this was done before. Ask for the connection, look what is there, then do the rest.`
          }
        : { type: 'error', text }
    })
  return Promise.race([work, ended])
}
