import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { McpTalk } from '#lib/kernel/mcp-talk.ts'

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** The most pages of a list that are read, and the most tools. */
const mostPages = 10
const mostTools = 256

/** What is asked of an MCP server that said hello, however it is reached. */
export function talkWith(client: Client, signal: AbortSignal): McpTalk {
  // The library's own time is an upper bound: `signal` is ours.
  const options = { signal, timeout: 3_600_000 }
  return {
    async listTools() {
      const tools: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
        const params = cursor === undefined ? {} : { cursor }
        const listed = await client.request({ method: 'tools/list', params }, Page, options)
        tools.push(...listed.tools)
        cursor = listed.nextCursor
        if (cursor === undefined) break
      }
      return tools.slice(0, mostTools)
    },
    callTool: (name, input) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: input } },
        CallToolResultSchema,
        options
      )
  }
}
