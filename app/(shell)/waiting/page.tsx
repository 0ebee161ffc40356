import type { Metadata } from 'next'
import { Page } from '#components/shell/page.tsx'
import { WaitingList } from '#components/waiting/waiting-list.tsx'
import { signedIn } from '#lib/auth/signed-in.ts'
import { listWaiting } from '#lib/sessions/list-waiting.ts'

export const metadata: Metadata = { title: 'Waiting' }

export default async function Waiting() {
  const { calls } = await listWaiting(await signedIn(), {})
  return (
    <Page title="Waiting">
      <WaitingList first={calls} />
    </Page>
  )
}
