import type { Metadata } from 'next'
import { ConnectionTabs } from '#components/connections/connection-tabs.tsx'
import { ServerList } from '#components/connections/mcp-list.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listIntegrations } from '#lib/features/connections/integrations.ts'
import { listServers } from '#lib/features/connections/mcp/servers.ts'

export const metadata: Metadata = { title: 'MCP servers' }

export default async function McpServers() {
  const ctx = await requireSignIn()
  const [{ servers, missing }, { integrations }] = await Promise.all([
    listServers(ctx),
    listIntegrations(ctx)
  ])
  return (
    <Page title="Connections" tabs={<ConnectionTabs open="/connections/mcp" />}>
      <ServerList
        servers={servers}
        missing={missing}
        taken={integrations.map(({ integration }) => integration)}
      />
    </Page>
  )
}
