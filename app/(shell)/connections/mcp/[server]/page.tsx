import type { Metadata } from 'next'
import { ServerView } from '#components/mcp/server-view.tsx'
import { Page } from '#components/workspace/page.tsx'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { getServer } from '#lib/features/connections/mcp/servers.ts'

export const metadata: Metadata = { title: 'MCP server' }

type Props = { params: Promise<{ server: string }> }

export default async function McpServer({ params }: Props) {
  const ctx = await requireSignIn()
  const { server: name } = await params
  const server = await orNotFound(getServer(ctx, { server: name }))
  return (
    <Page title={server.service} above={{ href: '/connections/mcp', label: 'MCP servers' }}>
      <ServerView key={server.server} first={server} />
    </Page>
  )
}
