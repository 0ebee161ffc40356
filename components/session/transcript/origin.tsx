import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Link } from '#components/ui/link.tsx'

/** A note above the first row of a branch that links to the session it was branched from. */
export function Origin() {
  const { sessionHref, branchedFrom } = useSessionContext()
  const told = useSessionState(state => state.session?.branchedFrom)
  const from = branchedFrom ?? told
  if (from === undefined) return null
  const name = from.title === undefined || from.title === '' ? 'another session' : from.title
  return (
    <p className="pt-4 pl-(--gutter) text-muted" data-hook="branched-from">
      Branched from{' '}
      {from.title === undefined || sessionHref === undefined ? (
        name
      ) : (
        <Link href={sessionHref(from.sessionId)}>{name}</Link>
      )}
      . New messages don't appear in that session.
    </p>
  )
}
