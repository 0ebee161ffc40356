'use client'
import { useRouter } from 'next/navigation'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { NewSessionForm } from './new-session.tsx'
import { useSessionCheck } from './use-session-check.ts'

type Target = { agentId?: string | undefined; sessionId?: string | undefined }

/**
 * The page for links from external systems (`/attach?agentId=acme&sessionId=order-7`). It shows what the
 * session ID leads to before the user creates or opens a session (000-22).
 */
export function AttachPage({ agentId, sessionId }: Target) {
  const router = useRouter()
  const { me } = useWorkspace()
  return (
    <Page title="Open a session">
      <div className="max-w-[520px]">
        {me.maySend ? (
          <NewSessionForm agentId={agentId} sessionId={sessionId} leave={() => router.push('/sessions')} />
        ) : (
          <ReadOnly agentId={agentId} sessionId={sessionId} />
        )}
      </div>
    </Page>
  )
}

/** Leads a viewer to the session if it exists, and says who can start one. */
function ReadOnly({ agentId = '', sessionId = '' }: Target) {
  const { attaches } = useSessionCheck(agentId, sessionId)
  return (
    <div className="flex flex-col gap-4">
      {attaches ? (
        <p>
          <Link href={sessionPath(sessionId)} data-hook="attach-session" className="reach underline">
            Open session
          </Link>
        </p>
      ) : null}
      <p data-hook="cannot-start" className="text-muted">
        You can read sessions but not start them. Ask an owner for access.
      </p>
    </div>
  )
}
