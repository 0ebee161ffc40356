import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CallToolResultSchema,
  ErrorCode,
  GetPromptResultSchema,
  McpError,
  ReadResourceResultSchema
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { McpTalk } from '#lib/kernel/ports/mcp-talk.ts'

const Page = z.looseObject({ nextCursor: z.string().optional() })

/** The most pages of a list that are read, and the most that are on them. */
const mostPages = 10
const mostListed = 256

/** What is asked of an MCP server that said hello, however it is reached. */
export function talkWith(client: Client, signal: AbortSignal): McpTalk {
  // The library's own time is an upper bound: `signal` is ours.
  const options = { signal, timeout: 3_600_000 }
  const listed = async (method: string, field: string): Promise<unknown[]> => {
    const all: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages && all.length < mostListed; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const told = await client.request({ method, params }, Page, options)
      all.push(...z.array(z.unknown()).parse(told[field]))
      cursor = told.nextCursor
      if (cursor === undefined) break
    }
    return all.slice(0, mostListed)
  }
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  return {
    has: { resources: resources !== undefined, prompts: prompts !== undefined },
    listTools: () => listed('tools/list', 'tools'),
    async listResources() {
      const all = await listed('resources/list', 'resources')
      // Not all that have resources have templates, too.
      const templates = await listed('resources/templates/list', 'resourceTemplates').catch(
        (error: unknown) => {
          if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return []
          throw error
        }
      )
      return { resources: all, templates }
    },
    readResource: uri =>
      client.request({ method: 'resources/read', params: { uri } }, ReadResourceResultSchema, options),
    listPrompts: () => listed('prompts/list', 'prompts'),
    getPrompt: (name, input) =>
      client.request(
        { method: 'prompts/get', params: { name, arguments: input } },
        GetPromptResultSchema,
        options
      ),
    callTool: (name, input) =>
      client.request(
        { method: 'tools/call', params: { name, arguments: input } },
        CallToolResultSchema,
        options
      )
  }
}
