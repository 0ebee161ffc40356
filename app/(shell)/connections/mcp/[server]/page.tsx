import type { Metadata } from 'next'
import { GiveMcp } from '#components/agents/give-mcp.tsx'
import { ServerView } from '#components/connections/mcp-server.tsx'
import { Page } from '#components/workspace/page.tsx'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { getServer } from '#lib/features/connections/mcp/servers.ts'

export const metadata: Metadata = { title: 'MCP server' }

type Props = {
  params: Promise<{ server: string }>
  searchParams: Promise<{ give?: string; without?: string | string[] }>
}

export default async function McpServer({ params, searchParams }: Props) {
  const ctx = await requireSignIn()
  const { server: name } = await params
  const { give, without = [] } = await searchParams
  const server = await orNotFound(getServer(ctx, { server: name }))
  return (
    <Page title={server.service} above={{ href: '/connections/mcp', label: 'MCP servers' }}>
      <ServerView
        key={server.server}
        first={server}
        give={
          permissionsOf(ctx.actor).mayEdit ? (
            <GiveMcp
              server={server.server}
              tools={server.offers.map(({ name }) => name)}
              without={give === undefined ? undefined : [without].flat()}
            />
          ) : undefined
        }
      />
    </Page>
  )
}
