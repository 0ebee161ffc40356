import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ReactNode } from 'react'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'

/** If a connection has more scopes than this, they are collapsed below their number. */
const mostScopes = 4

type ConnectionFactsProps = {
  connection: Connection
  /** True if its service was removed, so that no other row names it. */
  isRemoved: boolean
}

/** Shows a connection: its account, owner, state and scopes, who connected it, and which sessions used it. */
export function ConnectionFacts({ connection, isRemoved }: ConnectionFactsProps) {
  const { integration, service, slug, account, connectedBy, connectedAt } = connection
  return (
    <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{account ?? service}</span>
        {isRemoved && account !== undefined ? <span>{service}</span> : null}
        {slug === integration ? null : <code className="font-mono text-mono">{slug}</code>}
      </p>
      <State connection={connection} />
      <p className="text-muted">
        <Whose connection={connection} /> · connected by {connectedBy} <Time at={connectedAt} />
      </p>
      <Used connection={connection} />
      <Scopes scopes={connection.scopes} />
    </div>
  )
}

/** Shows nothing for an active connection. */
function State({ connection: { state, fault } }: { connection: Connection }) {
  if (state === 'active') return null
  const needsAuth = state === 'needs_auth'
  return (
    <p className={`flex items-baseline gap-2 ${needsAuth ? 'text-you' : 'text-muted'}`}>
      <StateGlyph kind={needsAuth ? 'parked' : 'idle'} />
      <span className="min-w-0">
        {needsAuth ? `Needs reconnecting${fault === undefined ? '.' : `: ${fault}`}` : (fault ?? 'Revoked.')}
      </span>
    </p>
  )
}

function Whose({ connection: { sharing, mine, owner } }: { connection: Connection }): ReactNode {
  if (mine) return 'Your account'
  if (sharing === 'workspace') return 'Workspace account'
  if (sharing === 'user') return `${owner}'s account`
  const sessionId = owner.replace(/^session /, '')
  return (
    <>
      Only in session{' '}
      <Link href={sessionPath(sessionId)} prefetch={false} className="reach">
        {sessionId}
      </Link>
    </>
  )
}

function Used({ connection: { lastUsedAt, sessions } }: { connection: Connection }) {
  if (lastUsedAt === undefined) return <p className="text-muted">Never used</p>
  return (
    <p className="text-muted">
      Used <Time at={lastUsedAt} />
      {sessions.map(({ sessionId, title }, index) => (
        <span key={sessionId}>
          {index === 0 ? ' by ' : ', '}
          <Link href={sessionPath(sessionId)} prefetch={false} className="reach">
            {sessionTitle(title, sessionId)}
          </Link>
        </span>
      ))}
    </p>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const text = <span className="font-mono text-mono text-muted">{scopes.join(' ')}</span>
  if (scopes.length === 0) return null
  if (scopes.length <= mostScopes) return <p>{text}</p>
  return (
    <details>
      <summary className="tap text-muted max-mid:leading-[44px]">{scopes.length} scopes</summary>
      {text}
    </details>
  )
}
