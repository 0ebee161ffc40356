import { ApiError } from '@waystation/base/api-error.ts'
import { OutboundError } from '@waystation/egress'
import { HttpToolDefinition, type ReadHttpTool } from '@waystation/protocol/agent/http-tool.ts'
import { problemText } from '@waystation/protocol/field-errors.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

const limits = { maxBytes: 1024 * 1024, timeout: 5_000 }

/**
 * Asks an HTTP tool for its definition. The request is not signed, because the agent may not exist yet. Throws
 * `CONFLICT` if the service does not answer with a definition.
 */
export async function readDefinition(ctx: Ctx, { url }: ReadHttpTool): Promise<HttpToolDefinition> {
  const response = await ctx.ports
    .fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', ...limits })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw new ApiError('CONFLICT', error.message)
      throw error
    })
  if (response.status !== 200)
    throw new ApiError(
      'CONFLICT',
      `The service responded with ${response.status}. It may have no definition.`
    )
  const { success, data, error } = HttpToolDefinition.safeParse(parsed(response.text()))
  if (!success)
    throw new ApiError('CONFLICT', `The response is not a definition of a tool: ${problemText(error)}.`)
  return data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
