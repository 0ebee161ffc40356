import type { BuiltInTool, RunnableTool } from '@waystation/protocol/agent/agent.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import type { ToolSource } from '#lib/tools/registry.ts'
import { resolveBuiltIn } from '#lib/tools/resolve.ts'
import { httpRequestTo } from './http-request.ts'
import { reachableServices } from './services.ts'

/** Provides `http-request` with the services in an agent's configuration. */
export const httpRequestSource: ToolSource = async (ctx, _, chat) => {
  const entry = chat.tools.find(isHttpRequest)
  if (entry === undefined) return undefined
  const tool = httpRequestTo(await reachableServices(ctx, entry.services ?? []))
  return { forEntry: config => (isHttpRequest(config) ? [resolveBuiltIn(tool, config)] : undefined) }
}

const isHttpRequest = (tool: RunnableTool): tool is BuiltInTool =>
  'name' in tool && tool.name === httpRequestTool && !('where' in tool)
