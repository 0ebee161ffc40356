import type { Metadata } from 'next'
import { OutOfBandPage } from '#components/out-of-band/out-of-band-page.tsx'
import { longest, spanOf, viewOf } from '#components/out-of-band/page-url.ts'
import { ActivityTabs } from '#components/shell/activity-tabs.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listOobEdges } from '#lib/features/out-of-band/list-oob-edges.ts'

export const metadata: Metadata = { title: 'Signals' }

type Props = { searchParams: Promise<{ hours?: string | string[]; view?: string | string[] }> }

/** The out-of-band messages of the workspace. */
export default async function Signals({ searchParams }: Props) {
  const asked = await searchParams
  const hours = spanOf(asked.hours)
  const ctx = await requireSignIn()
  const first = await listOobEdges(ctx, { hours })
  const any = first.edges.length > 0 || (await listOobEdges(ctx, { hours: longest })).edges.length > 0
  return (
    <Page title="Activity" tabs={<ActivityTabs open="/activity" />}>
      <OutOfBandPage first={first} hours={hours} view={viewOf(asked.view)} any={any} />
    </Page>
  )
}
