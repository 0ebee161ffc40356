import type { Call } from '#lib/protocol/call.ts'
import { useSessionContext } from './session-context.ts'

/** Whose own account a call that waits would use, where that is not plain: somebody else's, or asked for by several. */
export function AccountLine({ call: { accountOf, kind } }: { call: Call }) {
  const { me } = useSessionContext()
  if (accountOf === undefined || (kind !== 'approval' && kind !== 'connection')) return null
  const { id, name, others } = accountOf
  const owner = id === me.id ? 'your' : `${name}’s`
  if (others === undefined && id === me.id) return null
  return (
    <p data-hook="account-of" className="text-ui [overflow-wrap:anywhere]">
      {others === undefined
        ? `It uses ${owner} own account where it needs one.`
        : `It would use ${owner} own account, and ${others.join(', ')} asked for it as well.`}
    </p>
  )
}
