import { type RefObject, useMemo } from 'react'
import { client } from '#components/browser/client.ts'
import { clock } from '#components/browser/format-time.ts'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { useNow } from '#components/browser/use-now.ts'
import { LastTurns } from '#components/session/cards/last-turns.tsx'
import { memberParts } from '#components/session/cards/member-parts.ts'
import { OtherCall, OtherHeld, OtherSession } from '#components/session/cards/other-session.tsx'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

import { callOf, describe, isCall, keyOf, type Request } from './request.ts'

type OpenRequestProps = {
  request: Request
  agent: string
  detail: RefObject<HTMLElement | null>
  /** Shows the card and its session in one line, without the last turns. */
  brief?: boolean
  onSettled: () => void
}

/**
 * Shows a request with the last turns of its session, and the card that answers it: with the same widget, draft and
 * request as in the session.
 */
export function OpenRequest({ request, agent, detail, brief = false, onSettled }: OpenRequestProps) {
  const { me } = useWorkspace()
  const now = useNow()
  const { sessionId, agentId, title } = request
  const { href, since, asked } = describe(request, undefined)
  const fresh = useJustChanged(keyOf(request))
  const scope = useMemo(() => {
    const may = { send: me.maySend, answer: me.mayAnswer }
    return {
      agent: { agentId, displayName: agent },
      me: { name: me.name, id: me.id, role: me.role, may },
      may,
      go: () => window.location.assign(href)
    }
  }, [me, agentId, agent, href])
  return (
    <article ref={detail} data-hook="request" className="flex flex-col gap-4">
      <header className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          {brief ? null : (
            <h2 className="truncate font-semibold text-person">{sessionTitle(title, sessionId)}</h2>
          )}
          <p className="truncate text-muted">
            {agent}
            {brief ? ` · ${sessionTitle(title, sessionId)}` : ` · for ${asked === 'You' ? 'you' : asked}`} ·
            since <time dateTime={since}>{now === undefined ? '…' : clock(since, now)}</time>
          </p>
        </div>
        <Link
          href={href}
          prefetch={false}
          data-hook="open-session"
          className="tap inline-flex shrink-0 items-center text-muted underline decoration-rail underline-offset-3 hover:text-ink"
        >
          Open session
        </Link>
      </header>
      <OtherSession client={client} sessionId={sessionId} memberParts={memberParts} {...scope}>
        {/* The second click of a double click is meant for the card that was here before. */}
        <div className={`flex flex-col ${fresh ? 'pointer-events-none' : ''}`}>
          {brief ? null : <LastTurns toolCallId={isCall(request) ? request.toolCallId : undefined} />}
          {isCall(request) ? (
            <OtherCall call={callOf(request)} onSettled={onSettled} />
          ) : (
            <OtherHeld message={request} onSettled={onSettled} />
          )}
        </div>
      </OtherSession>
    </article>
  )
}
