import type { Call } from '#lib/protocol/call.ts'
import { useSessionContext } from './session-context.ts'

/** Whose own account a waiting call would use. Shown if it is another person's, or if other people have told the agent something. */
export function AccountLine({ call: { accountOf, kind } }: { call: Call }) {
  const { me } = useSessionContext()
  if (accountOf === undefined || (kind !== 'approval' && kind !== 'connection')) return null
  const { id, name, others } = accountOf
  const isMine = id === me.id
  if (others === undefined && isMine) return null
  const whose = isMine ? 'your' : `${name}’s`
  return (
    <p data-hook="account-of" className="text-ui [overflow-wrap:anywhere]">
      {others === undefined
        ? `It uses ${whose} own account if it needs one.`
        : `It would use ${whose} own account. ${others.join(', ')} told this agent something too, so ${isMine ? 'you' : name} must allow it.`}
    </p>
  )
}
