import type { Metadata } from 'next'
import { AddService } from '#components/connections/add-service.tsx'
import { ConnectionTabs } from '#components/connections/connection-tabs.tsx'
import { Services } from '#components/connections/services.tsx'
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
      actions={<AddService integrations={integrations} />}
      tabs={<ConnectionTabs open="/connections" />}
    >
      <Services connections={connections} integrations={integrations} />
    </Page>
  )
}
