import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CallToolResultSchema,
  ErrorCode,
  GetPromptResultSchema,
  McpError,
  ReadResourceResultSchema
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { McpConnection } from './contract.ts'

const Page = z.looseObject({ nextCursor: z.string().optional() })

/** Maximum number of pages that are read of a list, and of entries on them. */
const maxPages = 10
const maxEntries = 256

/** Wraps an initialized MCP client, for any transport. */
export function mcpConnection(client: Client, signal: AbortSignal): McpConnection {
  // The library needs a timeout. It is only an upper bound, because `signal` decides.
  const options = { signal, timeout: 3_600_000 }
  const listAll = async (method: string, field: string): Promise<unknown[]> => {
    const all: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < maxPages && all.length < maxEntries; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await client.request({ method, params }, Page, options)
      all.push(...z.array(z.unknown()).parse(result[field]))
      cursor = result.nextCursor
      if (cursor === undefined) break
    }
    return all.slice(0, maxEntries)
  }
  const { resources, prompts } = client.getServerCapabilities() ?? {}
  const server = client.getServerVersion()
  return {
    name: (server?.title ?? server?.name)?.slice(0, 80),
    has: { resources: resources !== undefined, prompts: prompts !== undefined },
    listTools: () => listAll('tools/list', 'tools'),
    async listResources() {
      const all = await listAll('resources/list', 'resources')
      // Some servers have resources but no templates.
      const templates = await listAll('resources/templates/list', 'resourceTemplates').catch(
        (error: unknown) => {
          if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return []
          throw error
        }
      )
      return { resources: all, templates }
    },
    readResource: uri =>
      client.request({ method: 'resources/read', params: { uri } }, ReadResourceResultSchema, options),
    listPrompts: () => listAll('prompts/list', 'prompts'),
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
