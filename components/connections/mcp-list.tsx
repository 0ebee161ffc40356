'use client'
import type { McpServer, McpServers } from '@waystation/protocol/connection/mcp.ts'
import { Link } from '#components/workspace/link.tsx'
import { UsedBy } from '#components/workspace/used-by.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { Health } from './health.tsx'

/**
 * Lists the MCP servers of the workspace with their health, tools and agents, and names that agents use but
 * no server has.
 */
export function ServerList({ servers, missing }: McpServers) {
  return (
    <div className="flex flex-col gap-8">
      {missing.length === 0 ? null : (
        <ul
          aria-label="Missing servers"
          data-hook="missing-servers"
          className="border-l-2 border-l-fail pl-4"
        >
          {missing.map(({ server, agents }) => (
            <li key={server} className="[overflow-wrap:anywhere]">
              <UsedBy agents={agents} verb={['uses', 'use']} />{' '}
              <code className="font-mono text-mono">{server}</code>, but no such server exists. Turns run
              without its tools.
            </li>
          ))}
        </ul>
      )}
      {servers.length === 0 ? (
        <Empty />
      ) : (
        <ul aria-label="MCP servers" data-hook="mcp-servers" className="border-t">
          {servers.map(one => (
            <ServerRow key={one.server} server={one} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ServerRow({ server }: { server: McpServer }) {
  const { server: name, service, about, health, tools, changed, added, agents } = server
  return (
    <li className="flex flex-col gap-0.5 border-b py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Link
          href={`/connections/mcp/${encodeURIComponent(name)}`}
          className="tap inline-flex max-w-full items-center text-person font-semibold [overflow-wrap:anywhere]"
        >
          {service}
        </Link>
        {service === name ? null : <code className="font-mono text-mono text-muted">{name}</code>}
        {changed === 0 ? null : (
          <span className="text-you">
            {changed} {changed === 1 ? 'tool has' : 'tools have'} changed
          </span>
        )}
        {added === 0 ? null : (
          <span className="text-you">
            {added} new {added === 1 ? 'tool' : 'tools'}
          </span>
        )}
      </p>
      <p className="[overflow-wrap:anywhere]">{about}</p>
      <Health health={health} />
      <p className="text-muted">
        {tools} {tools === 1 ? 'tool' : 'tools'} ·{' '}
        {agents.length === 0 ? 'no agent uses it' : <UsedBy agents={agents} verb={['uses it', 'use it']} />}
      </p>
    </li>
  )
}

function Empty() {
  const { me } = useWorkspace()
  return (
    <div className="flex max-w-[68ch] flex-col gap-3">
      <p>
        No MCP servers yet. An MCP server gives agents tools, resources and prompts. Waystation connects to it
        over HTTP, or runs it as a local program if the server operator allows that program.
      </p>
      {me.mayOwn ? (
        <p>
          <Link href="/connections" className="tap inline-flex items-center underline">
            Add a service
          </Link>{' '}
          and select “As an MCP server with its own sign-in”.
        </p>
      ) : (
        <p className="text-muted">Ask an owner to add one under Connections.</p>
      )}
    </div>
  )
}
