import type { Metadata } from 'next'
import { OutOfBandPage } from '#components/out-of-band/out-of-band-page.tsx'
import { spanOf, viewOf } from '#components/out-of-band/page-url.ts'
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
  return (
    <Page title="Activity" tabs={<ActivityTabs open="/activity" />}>
      <OutOfBandPage
        first={await listOobEdges(await requireSignIn(), { hours })}
        hours={hours}
        view={viewOf(asked.view)}
      />
    </Page>
  )
}
