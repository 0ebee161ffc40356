import type { Metadata } from 'next'
import { DeliveryList } from '#components/deliveries/delivery-list.tsx'
import { shownOf } from '#components/deliveries/filter.ts'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listAllDeliveries } from '#lib/deliveries/list-all.ts'

export const metadata: Metadata = { title: 'Deliveries' }

type Props = { searchParams: Promise<{ state?: string | string[] }> }

export default async function Deliveries({ searchParams }: Props) {
  const ctx = await requireSignIn()
  const shown = shownOf((await searchParams).state)
  if (!permissionsOf(ctx.actor).mayEdit)
    return (
      <Page title="Deliveries">
        <p className="text-muted">Only editors and owners can view deliveries. Ask one of them for access.</p>
      </Page>
    )
  const first = await listAllDeliveries(ctx, shown === 'all' ? {} : { state: shown })
  return (
    <Page title="Deliveries">
      <DeliveryList first={first} shown={shown} />
    </Page>
  )
}
