import type { Call } from '@waystation/protocol/call/call.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Shows whose account a pending call would use, if it is another person's or if the agent also has messages
 * from other people.
 */
export function AccountLine({ call: { accountOf, kind } }: { call: Call }) {
  const { me } = useSessionContext()
  if (accountOf === undefined || (kind !== 'approval' && kind !== 'connection')) return null
  const { id, name, others } = accountOf
  const isMine = id === me.id
  if (others === undefined && isMine) return null
  const whose = isMine ? 'your' : `${name}'s`
  return (
    <p data-hook="account-of" className="text-ui [overflow-wrap:anywhere]">
      {others === undefined
        ? `This call uses ${whose} account if it needs one.`
        : `This call would use ${whose} account. The agent also has messages from ${others.join(', ')}, so ${isMine ? 'you' : name} must approve the call.`}
    </p>
  )
}
