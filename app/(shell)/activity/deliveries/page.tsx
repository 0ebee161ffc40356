import type { Metadata } from 'next'
import { DeliveryList } from '#components/deliveries/delivery-list.tsx'
import { shownOf } from '#components/deliveries/filter.ts'
import { ActivityTabs } from '#components/shell/activity-tabs.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listAllDeliveries } from '#lib/deliveries/list-all.ts'

export const metadata: Metadata = { title: 'Deliveries' }

type Props = { searchParams: Promise<{ state?: string | string[] }> }

export default async function Deliveries({ searchParams }: Props) {
  const ctx = await requireSignIn()
  const shown = shownOf((await searchParams).state)
  return (
    <Page title="Activity" tabs={<ActivityTabs open="/activity/deliveries" />}>
      {permissionsOf(ctx.actor).mayEdit ? (
        <DeliveryList
          first={await listAllDeliveries(ctx, shown === 'all' ? {} : { state: shown })}
          shown={shown}
        />
      ) : (
        <p className="text-muted">Only editors and owners can view deliveries. Ask one of them for access.</p>
      )}
    </Page>
  )
}
