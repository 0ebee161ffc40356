'use client'
import { useRouter } from 'next/navigation'
import { Page } from '#components/workspace/page.tsx'
import { NewSessionForm } from './new-session.tsx'

/**
 * Where another system's link leads (`/attach?agentId=acme&sessionId=order-7`): what its ID would come to is said before
 * anything is done (000-22).
 */
export function AttachPage({
  agentId,
  sessionId
}: {
  agentId: string | undefined
  sessionId: string | undefined
}) {
  const router = useRouter()
  return (
    <Page title="Open a session">
      <div className="max-w-[520px]">
        <NewSessionForm
          agentId={agentId}
          sessionId={sessionId ?? ''}
          leave={() => router.push('/sessions')}
        />
      </div>
    </Page>
  )
}
