import type { Call } from '@waystation/protocol/call/call.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { connectHintOf, isConnected } from '#components/session/wording/connect-words.ts'
import { RetryConnect } from './retry-connect.tsx'

/** Shows how a request for an account ended. If it failed, the user can connect the account here (002-12). */
export function ConnectEnding({ call }: { call: Call }) {
  const now = useNow()
  const { may } = useSessionContext()
  const { service, connectedAt } = connectHintOf(call)
  const at = (time: string | undefined) =>
    time === undefined || now === undefined ? '' : ` at ${clock(time, now)}`
  if (isConnected(call))
    return (
      <p data-hook="account-connected" className="text-muted">
        {service} was{' '}
        {call.via === 'server'
          ? 'already connected'
          : `connected by ${call.answeredBy ?? 'someone else'}${at(call.settledAt)}`}
        .
      </p>
    )
  const said = isJsonObject(call.output) ? reasons[String(call.output.reason)] : undefined
  const why = call.reason ?? said ?? (call.state === 'expired' ? reasons.timeout : undefined)
  return (
    <div className="flex flex-col items-start gap-2">
      <p data-hook="account-not-connected">
        Connection not completed{why === undefined ? '.' : `: ${why}`} The agent has been notified.
      </p>
      {connectedAt !== undefined ? (
        <p role="status" data-hook="account-connected-later">
          {service} was connected later{at(connectedAt)}.
        </p>
      ) : may.answer ? (
        <RetryConnect call={call} />
      ) : null}
    </div>
  )
}

const reasons: Record<string, string> = {
  declined: 'The request was declined.',
  cancelled: 'You canceled it, or closed the window.',
  timeout: 'The time limit passed.',
  not_active: 'The connected account is not active.'
}
