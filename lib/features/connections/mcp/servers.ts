import { notFound } from '@waystation/base/api-error.ts'
import { digestOf } from '@waystation/base/digest.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import type {
  CheckedState,
  InMcpServer,
  McpHealth,
  McpServer,
  McpServerOffer,
  McpServers,
  McpServerTool,
  McpTool
} from '@waystation/protocol/connection/mcp.ts'
import { allIntegrations } from '#lib/features/connections/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { acceptedTools } from './accepted-tools.ts'
import { type McpLocation, programPlace } from './location.ts'

type ServerEntry = McpLocation & { server: string; about: string }
type AgentUse = { mcp: string; agentId: string; displayName: string }
type CheckRow = {
  integration: string
  url: string
  state: CheckedState
  at: string
  tookMs: number
  error: string | null
}
type ListRow = { integration: string; url: string; tools: McpTool[] }

/**
 * Returns the MCP servers that this workspace's agents can use, by service, and the missing servers that
 * agents name.
 */
export async function listServers(ctx: Ctx): Promise<McpServers> {
  const [entries, users, checks, lists] = await Promise.all([
    allServers(ctx),
    usersOf(ctx),
    ctx.sql<CheckRow[]>`
      select integration, url, state, at, took_ms, error from mcp_checks
      where workspace_id = ${ctx.workspaceId}`,
    ctx.sql<ListRow[]>`
      select integration, url, tools from mcp_tool_lists where workspace_id = ${ctx.workspaceId}`
  ])
  const byName = Map.groupBy(users, ({ mcp }) => mcp)
  const agentsOf = (name: string) =>
    (byName.get(name) ?? []).map(({ agentId, displayName }) => ({ agentId, displayName }))
  const servers = entries.map(async ({ server, service, about, url, program }): Promise<McpServer> => {
    const isThis = (row: { integration: string; url: string }) =>
      row.integration === server && row.url === url
    const listed = lists.find(isThis)?.tools ?? []
    const tools = (await acceptedTools(ctx, server, listed)).filter(({ does }) => does === undefined)
    return {
      server,
      service,
      kind: program ? 'program' : 'http',
      about,
      health: healthOf(checks.find(isThis)),
      tools: tools.length,
      changed: tools.filter(({ offered }) => offered !== undefined).length,
      added: tools.filter(({ isNew }) => isNew).length,
      agents: agentsOf(server)
    }
  })
  const names = new Set(entries.map(({ server }) => server))
  const missing = [...byName.keys()].filter(name => !names.has(name))
  return {
    servers: await Promise.all(servers),
    missing: missing.sort().map(server => ({ server, agents: agentsOf(server) }))
  }
}

/** Returns a server with all its tools. Throws `NOT_FOUND`. */
export async function getServer(ctx: Ctx, { server: name }: InMcpServer): Promise<McpServerOffer> {
  const server = (await listServers(ctx)).servers.find(({ server }) => server === name)
  const entry = (await allServers(ctx)).find(({ server }) => server === name)
  if (server === undefined || entry === undefined) throw notFound('MCP server', name)
  const [list] = await ctx.sql<ListRow[]>`
    select integration, url, tools from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${name} and url = ${entry.url}`
  const versions = await ctx.sql<{ name: string; at: string; by: string | null }[]>`
    select distinct on (name) name, accepted_at as at, accepted_by as by from mcp_tool_versions
    where workspace_id = ${ctx.workspaceId} and integration = ${name} and accepted_at is not null
    order by name, accepted_at desc`
  const listed = list?.tools ?? []
  const accepted = await acceptedTools(ctx, name, listed)
  const offers = accepted.flatMap(({ offered, isNew, does, ...tool }): McpServerTool[] => {
    if (does !== undefined) return []
    if (isNew) return [{ ...tool, offered: { digest: digestOf(tool), changes: [] } }]
    const version = versions.find(version => version.name === tool.name)
    if (version === undefined) return []
    const { at, by } = version
    return [
      {
        ...tool,
        acceptedAt: at,
        ...(by === null ? {} : { acceptedBy: by }),
        ...(offered === undefined
          ? {}
          : { offered: { digest: digestOf(offered), changes: diffConfigs(tool, offered) } })
      }
    ]
  })
  return {
    ...server,
    offers,
    resources: listed.some(({ does }) => does === 'list_resources'),
    prompts: listed.some(({ does }) => does === 'list_prompts')
  }
}

/** Returns the integrations that are MCP servers, and the programs whose names no integration uses. */
async function allServers(ctx: Ctx): Promise<ServerEntry[]> {
  const integrations = await allIntegrations(ctx)
  const names = new Set(integrations.map(({ integration }) => integration))
  const remote = integrations.flatMap(({ integration, service, mcp }): ServerEntry[] => {
    if (mcp === undefined) return []
    const { origin, pathname } = new URL(mcp.url)
    return [{ server: integration, service, url: mcp.url, about: `${origin}${pathname}` }]
  })
  const local = [...(ctx.ports.programs?.offered ?? [])].flatMap(
    ([name, { description, digest }]): ServerEntry[] =>
      names.has(name) ? [] : [{ server: name, ...programPlace(name, digest), about: description }]
  )
  return [...remote, ...local].sort((a, b) => a.service.localeCompare(b.service))
}

/** Returns which published agents name which servers among their tools. */
const usersOf = (ctx: Ctx) => ctx.sql<AgentUse[]>`
  select distinct t ->> 'mcp' as mcp, id as agent_id, config ->> 'displayName' as display_name
  from agents, jsonb_array_elements(config -> 'chat' -> 'tools') t
  where workspace_id = ${ctx.workspaceId} and t ? 'mcp'
  order by display_name, agent_id`

function healthOf(row: CheckRow | undefined): McpHealth {
  if (row === undefined) return { state: 'unchecked' }
  const { state, at, tookMs, error } = row
  return { state, at, tookMs, ...(error === null ? {} : { error }) }
}
