import type { Metadata } from 'next'
import { Connected } from '#components/connections/connected.tsx'
import { Services } from '#components/connections/services.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listIntegrations } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'

export const metadata: Metadata = { title: 'Connections' }

export default async function Connections() {
  const ctx = await requireSignIn()
  const [{ connections }, { integrations }] = await Promise.all([listConnections(ctx), listIntegrations(ctx)])
  return (
    <Page
      title="Connections"
      actions={
        <Link href="/connections/mcp" className="tap inline-flex items-center text-muted">
          MCP servers
        </Link>
      }
    >
      <div className="flex max-w-[760px] flex-col gap-10">
        <Connected connections={connections} integrations={integrations} />
        <Services integrations={integrations} />
      </div>
    </Page>
  )
}
