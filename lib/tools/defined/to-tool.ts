import { cleanJson } from '@waystation/base/clean-json.ts'
import { cleanText } from '@waystation/base/clean-text.ts'
import { KnownError, ToolError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import { responseOf } from '@waystation/egress'
import { problemText } from '@waystation/protocol/field-errors.ts'
import type { ServerTool, ToolContext } from '@waystation/tools'
import { checkSize } from '#lib/tools/execute.ts'
import { sessionOrigin } from '#lib/tools/session-origin.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { inTool } from './contain.ts'
import type { DefinedTool } from './read-tools.ts'

/** Maximum length of the error message that the model receives. */
const maxErrorChars = 20_000

/** Returns a tool of an operator as a tool of this server. `source` names its file or its plugin. */
export function toTool(definition: DefinedTool, source: string): Tool {
  const { name, description, inputSchema, approval = 'ask' } = definition
  const common = { name, description, input: inputSchema, approval, source, parsesInput: true }
  if (definition.where === 'browser')
    return { ...common, where: 'browser', output: definition.outputSchema } as unknown as Tool
  const { timeout, repeatable } = definition
  return {
    ...common,
    where: 'server',
    timeout,
    repeatable,
    execute: (input: unknown, run: ToolRun) => execute(definition, input, run)
  } as unknown as Tool
}

async function execute(tool: ServerTool, input: unknown, run: ToolRun): Promise<unknown> {
  const { name } = tool
  const origin = await sessionOrigin(run.ctx, run.lease.sessionKey)
  // Listeners of this signal run as code of the tool, so that their errors belong to it.
  const stop = new AbortController()
  const abort = () => inTool(name, () => stop.abort(run.signal.reason))
  if (run.signal.aborted) abort()
  run.signal.addEventListener('abort', abort)
  const context = { ...origin, ...contextOf(run), signal: stop.signal }
  try {
    const value = await inTool(name, async () => tool.execute(tool.inputSchema.parse(input), context))
    return inTool(name, () => resultOf(tool, value))
  } catch (error) {
    if (error instanceof KnownError) throw error
    const text = textOf(error)
    if (!run.signal.aborted)
      log('warn', 'A tool failed.', { tool: name, error: error instanceof Error ? error : text })
    throw new ToolError(text)
  } finally {
    run.signal.removeEventListener('abort', abort)
  }
}

/** Returns what a tool may know about its call, besides the session. */
const contextOf = ({ ctx, call, fetch }: ToolRun): Omit<ToolContext, 'sessionId' | 'signal'> => ({
  workspaceId: ctx.workspaceId,
  agentId: call.speakerId,
  toolCallId: call.toolCallId,
  idempotencyKey: call.toolCallId,
  fetch: async (url, { method, headers, body, redirect } = {}) =>
    responseOf(await fetch(String(url), { method, headers, body, redirect }))
})

/** Returns a result as JSON that can be stored. Throws a `ToolError` if it does not match its schema or is not JSON. */
function resultOf({ outputSchema }: ServerTool, value: unknown): unknown {
  const parsed = outputSchema?.safeParse(value)
  if (parsed?.success === false)
    throw new ToolError(`The tool returned a wrong result: ${problemText(parsed.error)}`)
  const result = parsed === undefined ? value : parsed.data
  let text: string | undefined
  try {
    text = JSON.stringify(result ?? null)
  } catch (error) {
    throw new ToolError(`The tool returned a result that is not JSON: ${textOf(error)}`)
  }
  if (text === undefined) throw new ToolError(`The tool returned a ${typeof result}, which is not JSON.`)
  checkSize(text)
  return cleanJson(JSON.parse(text), problem => new ToolError(`The tool returned a result that ${problem}.`))
}

/** Returns the message of anything that can be thrown. */
function textOf(error: unknown): string {
  try {
    const text = cleanText(String(error instanceof Error ? error.message : error))
    return text.trim() === '' ? 'The tool failed without a message.' : text.slice(0, maxErrorChars)
  } catch {
    return 'The tool failed without a message.'
  }
}
