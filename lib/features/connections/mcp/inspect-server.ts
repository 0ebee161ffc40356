import { invalid } from '@waystation/base/api-error.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { withMcp } from '@waystation/mcp-client'
import type { InspectMcpServer, McpInspection } from '@waystation/protocol/connection/mcp.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { outboundWithSignal } from './ask-server.ts'
import { listFailure, statusOf } from './list-failure.ts'
import { usableTools } from './usable-tools.ts'

/** How long a server may take, in milliseconds. A person waits for it. */
const timeoutMs = 10_000

/** Asks the MCP server at an address for its name and tools. It sends no credentials and saves nothing. */
export async function inspectServer(ctx: Ctx, { url }: InspectMcpServer): Promise<McpInspection> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw invalid('The address of an MCP server must use https.', { url: 'must use https' })
  const startedAt = performance.now()
  const result = await ask(ctx, url).catch((error: unknown) =>
    statusOf(error) === 401
      ? { state: 'account' as const, tools: [] }
      : { state: 'failed' as const, tools: [], error: listFailure(error) }
  )
  return { ...result, tookMs: Math.round(performance.now() - startedAt) }
}

async function ask(ctx: Ctx, url: string) {
  const signal = AbortSignal.timeout(timeoutMs)
  const timeout = new Promise<never>((_, reject) => {
    const error = new ToolError(`The server did not list its tools within ${timeoutMs / 1000} s.`)
    signal.addEventListener('abort', () => reject(error), { once: true })
  })
  const answer = withMcp(
    { url, fetch: outboundWithSignal(ctx, signal), signal },
    async ({ name, listTools }) => ({
      name,
      listed: await listTools()
    })
  )
  const { name, listed } = await Promise.race([answer, timeout])
  const { tools } = await usableTools(ctx, listed)
  return {
    state: 'ok' as const,
    ...(name === undefined ? {} : { name }),
    tools: tools.map(({ inputSchema: _, ...tool }) => tool)
  }
}
