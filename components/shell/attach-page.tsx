'use client'
import { useRouter } from 'next/navigation'
import { Page } from '#components/workspace/page.tsx'
import { NewSessionForm } from './new-session.tsx'

/**
 * The page for links from external systems (`/attach?agentId=acme&sessionId=order-7`). It shows what the
 * session ID leads to before the user creates or opens a session (000-22).
 */
export function AttachPage({ agentId, sessionId }: { agentId?: string; sessionId?: string }) {
  const router = useRouter()
  return (
    <Page title="Open a session">
      <div className="max-w-[520px]">
        <NewSessionForm agentId={agentId} sessionId={sessionId} leave={() => router.push('/sessions')} />
      </div>
    </Page>
  )
}
