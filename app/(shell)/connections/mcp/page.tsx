import type { Metadata } from 'next'
import { ServerList } from '#components/mcp/server-list.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listServers } from '#lib/features/connections/mcp/servers.ts'

export const metadata: Metadata = { title: 'MCP servers' }

export default async function McpServers() {
  const { servers, missing } = await listServers(await requireSignIn())
  return (
    <Page title="MCP servers" above={{ href: '/connections', label: 'Connections' }}>
      <ServerList servers={servers} missing={missing} />
    </Page>
  )
}
