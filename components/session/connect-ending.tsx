'use client'
import { Button } from '#components/ui/button.tsx'
import type { Call } from '#lib/protocol/call.ts'
import { connectHintOf, isConnected } from './connect-words.ts'
import { useSessionContext } from './session-context.ts'
import { useNow } from './use-now.ts'
import { clock } from './when.ts'
import { useConnect } from './widgets/use-connect.ts'

/** What became of asking for an account; where there is none, it can still be connected for the next time (002-12). */
export function ConnectEnding({ call }: { call: Call }) {
  const now = useNow()
  const { service } = connectHintOf(call)
  const at = call.settledAt === undefined || now === undefined ? '' : ` at ${clock(call.settledAt, now)}`
  if (isConnected(call))
    return (
      <p data-hook="account-connected" className="text-muted">
        {service} connected{call.via === 'server' ? ' before' : ` by ${call.answeredBy ?? 'somebody'}${at}`}.
      </p>
    )
  return <NotCompleted call={call} service={service} />
}

const reasons: Record<string, string> = {
  declined: 'It was declined.',
  cancelled: 'The window was closed.',
  timeout: 'Nobody finished it in time.',
  not_active: 'What was connected is not active here.'
}

function NotCompleted({ call, service }: { call: Call; service: string }) {
  const { may, suggest } = useSessionContext()
  const { phase, connect, cancel } = useConnect(call)
  const { output } = call
  const said =
    typeof output === 'object' && output !== null && 'reason' in output ? String(output.reason) : ''
  const why = call.reason ?? reasons[said] ?? (call.state === 'expired' ? reasons.timeout : undefined)
  return (
    <div className="flex flex-col items-start gap-2">
      <p data-hook="account-not-connected">
        Connection not completed{why === undefined ? '.' : `: ${why}`} The agent knows.
      </p>
      {phase.kind === 'failed' ? (
        <p role="alert" className="text-fail">
          {phase.words}
        </p>
      ) : null}
      {phase.kind === 'connected' ? (
        <p role="status" data-hook="account-connected-later">
          {service} is connected now.{' '}
          <Button
            data-hook="tell-agent"
            tone="quiet"
            onClick={() => suggest(`I connected ${service} now. Please go on.`)}
          >
            Tell the agent
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
          Finish in the window of {service}.{' '}
          <Button tone="quiet" onClick={cancel}>
            Cancel
          </Button>
        </p>
      )}
    </div>
  )
}
