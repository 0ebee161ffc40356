import type { Metadata } from 'next'
import { Inbox } from '#components/waiting/inbox.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'

export const metadata: Metadata = { title: 'Waiting' }

export default async function Waiting() {
  const { calls, held, nextCursor } = await listPendingCalls(await requireSignIn(), {})
  return <Inbox first={{ calls, held, more: nextCursor !== null }} />
}
