import type { CallResult } from '#lib/protocol/call.ts'
import type { ResolvedTools } from './resolve.ts'
import type { ToolContext } from './tool.ts'

/** The most a tool's answer may be, as JSON: more is cut off with a note, not stored. */
const maxResultChars = 1_000_000

/**
 * Runs a server tool within its time. Whatever goes wrong is an answer the model can read; a tool that ignores its
 * signal is not waited for longer than that.
 */
export async function executeTool(
  tools: ResolvedTools,
  call: { toolCallId: string; toolName: string; input: unknown },
  ctx: Omit<ToolContext, 'signal' | 'callId'>,
  signal: AbortSignal
): Promise<CallResult> {
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
  // Every request of a tool ends with the tool, and says which call it is for (design 2.8).
  const outward: ToolContext['fetch'] = (url, init) =>
    ctx.fetch(url, {
      ...init,
      signal: either,
      headers: { 'idempotency-key': call.toolCallId, ...init?.headers }
    })
  const work = server
    .execute(input.data as never, { ...ctx, signal: either, callId: call.toolCallId, fetch: outward })
    .then((value): CallResult => {
      const size = JSON.stringify(value ?? null).length
      if (size > maxResultChars)
        return {
          type: 'error',
          text: `The result is ${size} characters long; at most ${maxResultChars} can be given to the model.`
        }
      return { type: 'output', value: value ?? null }
    })
    .catch(
      (error: unknown): CallResult => ({
        type: 'error',
        text: error instanceof Error ? error.message : String(error)
      })
    )
  return Promise.race([work, ended])
}
