import type { Call } from '@waystation/protocol/call/call.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Shows whose account a pending call would use, if it is another person's or if the agent also has messages
 * from other people. A proposal to change the agent uses no account.
 */
export function AccountLine({ call: { accountOf, answerers, kind, render } }: { call: Call }) {
  const { me } = useSessionContext()
  if (accountOf === undefined || (kind !== 'approval' && kind !== 'connection')) return null
  if (render?.kind === 'config-diff') return null
  const { id, name, others } = accountOf
  // An end user's page knows the name of its user, which is the subject of the session token, and no ID.
  const isMine = id === (me.id ?? `subject:${me.name}`)
  if (others === undefined && isMine) return null
  const whose = isMine ? 'your' : `${name}'s`
  const who = isMine ? 'you' : name
  const alsoFrom = `The agent also has messages from ${others?.join(', ')}`
  // The server lets only the owner answer once the call needs the account (`lib/engine/calls/suspend-call.ts`).
  const isOwnersAlone = answerers?.roles === undefined && answerers?.people?.every(person => person.id === id)
  return (
    <p data-hook="account-of" className="text-ui [overflow-wrap:anywhere]">
      {others === undefined
        ? `This call uses ${whose} account if it needs one.`
        : isOwnersAlone
          ? `This call would use ${whose} account. ${alsoFrom}, so ${who} must approve the call.`
          : `If this call needs ${whose} account, only ${who} can approve that. ${alsoFrom}.`}
    </p>
  )
}
