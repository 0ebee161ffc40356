'use client'
import type { McpServer, McpServers } from '@waystation/protocol/connection/mcp.ts'
import { Empty } from '#components/ui/empty.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { UsedBy } from '#components/workspace/used-by.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddServer } from './add-server.tsx'
import { Health } from './mcp-health.tsx'
import { ServiceMark } from './service-mark.tsx'
import { shortNameOf } from './service-values.ts'

/**
 * Lists the MCP servers of the workspace with their health, tools and agents, and names that agents use but
 * no server has. Owners can add a server. `taken`: the names of services.
 */
export function ServerList({ servers, missing, taken }: McpServers & { taken: readonly string[] }) {
  const { me } = useWorkspace()
  const adding = me.mayOwn ? (
    <AddServer taken={[...taken, ...servers.map(({ server }) => server)]} isFirst={servers.length === 0} />
  ) : undefined
  return (
    <div className="flex flex-col gap-8">
      {servers.length === 0 ? null : adding}
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
        <Empty
          title="No MCP servers yet"
          data-hook="no-servers"
          action={adding && <div className="w-[560px] max-w-full">{adding}</div>}
        >
          A server gives agents tools, resources and prompts.{me.mayOwn ? '' : ' Ask an owner to add one.'}
        </Empty>
      ) : (
        <Rows aria-label="MCP servers" data-hook="mcp-servers">
          {servers.map(one => (
            <ServerRow key={one.server} server={one} />
          ))}
        </Rows>
      )}
    </div>
  )
}

function ServerRow({ server }: { server: McpServer }) {
  const { server: name, service, about, health, tools, changed, added, agents } = server
  const news = [
    ...(changed === 0 ? [] : [`${changed} ${changed === 1 ? 'tool has' : 'tools have'} changed`]),
    ...(added === 0 ? [] : [`${added} new ${added === 1 ? 'tool' : 'tools'}`])
  ]
  return (
    <Row
      mark={<ServiceMark name={service} about={about} />}
      href={`/connections/mcp/${encodeURIComponent(name)}`}
      name={service}
      about={
        <>
          <p>
            {shortNameOf(service) === name ? null : <code className="font-mono text-mono">{name} </code>}
            {about}
          </p>
          <Health health={health} />
          <p>
            {agents.length === 0 ? (
              'No agent uses it'
            ) : (
              <span className="relative">
                <UsedBy agents={agents} verb={['uses it', 'use it']} />
              </span>
            )}
          </p>
        </>
      }
      actions={
        <>
          {news.map(text => (
            <span key={text} className="text-you">
              {text}
            </span>
          ))}
          {tools === 0 ? null : (
            <span className="text-muted">
              {tools} {tools === 1 ? 'tool' : 'tools'}
            </span>
          )}
        </>
      }
    />
  )
}
