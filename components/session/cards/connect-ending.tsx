import type { Call } from '@waystation/protocol/call/call.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useConnect } from '#components/session/cards/widgets/use-connect.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { connectHintOf, isConnected } from '#components/session/wording/connect-words.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * Shows how a request for an account ended. If it failed, the user can still connect the account for later
 * calls (002-12).
 */
export function ConnectEnding({ call }: { call: Call }) {
  const now = useNow()
  const { service } = connectHintOf(call)
  const at = call.settledAt === undefined || now === undefined ? '' : ` at ${clock(call.settledAt, now)}`
  if (isConnected(call))
    return (
      <p data-hook="account-connected" className="text-muted">
        {service} was{' '}
        {call.via === 'server'
          ? 'already connected'
          : `connected by ${call.answeredBy ?? 'someone else'}${at}`}
        .
      </p>
    )
  return <NotCompleted call={call} service={service} />
}

const reasons: Record<string, string> = {
  declined: 'The request was declined.',
  cancelled: 'The window was closed.',
  timeout: 'The time limit passed.',
  not_active: 'The connected account is not active.'
}

function NotCompleted({ call, service }: { call: Call; service: string }) {
  const { may, suggest } = useSessionContext()
  const { phase, connect, cancel } = useConnect(call)
  const said = isJsonObject(call.output) ? reasons[String(call.output.reason)] : undefined
  const why = call.reason ?? said ?? (call.state === 'expired' ? reasons.timeout : undefined)
  return (
    <div className="flex flex-col items-start gap-2">
      <p data-hook="account-not-connected">
        Connection not completed{why === undefined ? '.' : `: ${why}`} The agent has been notified.
      </p>
      {phase.kind === 'failed' ? (
        <p role="alert" className="text-fail">
          {phase.words}
        </p>
      ) : null}
      {phase.kind === 'connected' ? (
        <p role="status" data-hook="account-connected-later">
          {service} is now connected.{' '}
          <Button
            data-hook="tell-agent"
            tone="quiet"
            onClick={() => suggest(`I've connected ${service}. Please continue.`)}
          >
            Tell agent
          </Button>
        </p>
      ) : !may.answer ? null : phase.kind === 'blocked' ? (
        <a href={phase.url} target="_blank" rel="noopener opener" className="reach underline">
          Open {service}
        </a>
      ) : phase.kind === 'idle' || phase.kind === 'failed' ? (
        <Button data-hook="retry-connect" onClick={() => void connect()}>
          Retry
        </Button>
      ) : (
        <p role="status">
          Finish in the {service} window.{' '}
          <Button tone="quiet" onClick={cancel}>
            Cancel
          </Button>
        </p>
      )}
    </div>
  )
}
