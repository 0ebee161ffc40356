import { randomUUID } from 'node:crypto'
import { ApiError } from '@waystation/base/api-error.ts'
import { cleanJson } from '@waystation/base/clean-json.ts'
import { log } from '@waystation/base/log.ts'
import { OutboundError } from '@waystation/egress'
import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { z } from 'zod'
import { secretsOf } from '#lib/deliveries/secrets.ts'
import { signatureHeaders } from '#lib/deliveries/sign.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The time for a response, in milliseconds, and its maximum size in bytes. */
const limits = { ms: 5_000, bytes: 64 * 1024 }

/**
 * Asks the `checkUrl` of an external agent, with a signed request (000-22), and returns its response in this shape.
 *
 * @throws ApiError `UNAVAILABLE` if there is no valid response. The text never contains the response.
 */
export async function askCheckUrl<Shape extends z.ZodType>(
  ctx: Ctx,
  { agentId, displayName }: ExternalAgent,
  checkUrl: string,
  question: Record<string, unknown>,
  shape: Shape
): Promise<z.output<Shape>> {
  const { workspaceId } = ctx
  const failed = (problem: string) =>
    new ApiError('UNAVAILABLE', `${displayName} ${problem}. Check its checkUrl, or try again.`)
  const body = JSON.stringify({ ...question, agentId })
  const id = `chk_${randomUUID()}`
  const secrets = await secretsOf(ctx, workspaceId, `agent:${agentId}`)
  const response = await ctx.ports
    .fetch(checkUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...signatureHeaders(secrets, id, body)
      },
      body,
      redirect: 'manual',
      timeout: limits.ms,
      maxBytes: limits.bytes
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      log('info', 'a checkUrl did not respond', { agentId, error })
      if (error.code === 'TIMEOUT') throw failed(`did not respond within ${limits.ms / 1000} seconds`)
      if (error.code === 'TOO_LARGE') throw failed('sent a response of more than 64 KiB')
      throw failed('could not be reached')
    })
  if (response.status < 200 || response.status >= 300) throw failed(`responded with ${response.status}`)
  const parsed = shape.safeParse(jsonOf(response.text()))
  if (!parsed.success) throw failed('sent a response in another format')
  return parsed.data
}

/** Parses untrusted JSON. Undefined if it is invalid or nested too deeply. */
function jsonOf(text: string): unknown {
  try {
    return cleanJson(JSON.parse(text), problem => new Error(problem))
  } catch {
    return undefined
  }
}
