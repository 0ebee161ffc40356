import type { Metadata } from 'next'
import { WaitingList } from '#components/waiting/waiting-list.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'

export const metadata: Metadata = { title: 'Waiting' }

type Props = { searchParams: Promise<{ mine?: string | string[] }> }

export default async function Waiting({ searchParams }: Props) {
  const { calls, held, nextCursor } = await listPendingCalls(await requireSignIn(), {})
  const { mine } = await searchParams
  return (
    <Page
      title="Waiting"
      actions={
        <Link href="/out-of-band" className="tap inline-flex items-center text-muted">
          Out-of-band messages
        </Link>
      }
    >
      <WaitingList first={{ calls, held, more: nextCursor !== null }} mine={mine === 'true'} />
    </Page>
  )
}
