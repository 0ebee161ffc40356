import type { Metadata } from 'next'
import { OutOfBandPage } from '#components/out-of-band/out-of-band-page.tsx'
import { spanOf, viewOf } from '#components/out-of-band/page-url.ts'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listOobEdges } from '#lib/features/out-of-band/list-oob-edges.ts'

export const metadata: Metadata = { title: 'Out-of-band messages' }

type Props = { searchParams: Promise<{ hours?: string | string[]; view?: string | string[] }> }

export default async function OutOfBand({ searchParams }: Props) {
  const asked = await searchParams
  const hours = spanOf(asked.hours)
  return (
    <Page title="Out-of-band messages" above={{ href: '/waiting', label: 'Waiting' }}>
      <OutOfBandPage
        first={await listOobEdges(await requireSignIn(), { hours })}
        hours={hours}
        view={viewOf(asked.view)}
      />
    </Page>
  )
}
