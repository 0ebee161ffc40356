import type { Call } from '@waystation/protocol/call/call.ts'
import { useConnect } from '#components/session/cards/widgets/use-connect.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { connectHintOf } from '#components/session/wording/connect-words.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * Connects the account of a call that ended without it. The agent then continues by itself (002-12). If this
 * user cannot connect the account, or if it is already connected, it says so instead.
 */
export function RetryConnect({ call }: { call: Call }) {
  const { suggest } = useSessionContext()
  const { phase, account, connect, cancel } = useConnect(call)
  const { data, error } = account
  const { service } = data ?? connectHintOf(call)
  switch (phase.kind) {
    case 'connected':
      return <p role="status">{service} is now connected.</p>
    case 'blocked':
      return (
        <a href={phase.url} target="_blank" rel="noopener opener" className="reach underline">
          Open {service}
        </a>
      )
    case 'opening':
    case 'open':
    case 'unseen':
      return (
        <p role="status">
          Finish in the {service} window.{' '}
          <Button tone="quiet" data-hook="cancel-connect" onClick={cancel}>
            Cancel
          </Button>
        </p>
      )
  }
  // The server decides again when the user retries, so an unknown state is no obstacle.
  switch (error === null ? data?.state : 'available') {
    case undefined:
    case 'not_yours':
      return null
    case 'connected':
      return (
        <p role="status" data-hook="account-already-connected">
          {service} is connected by now.{' '}
          <Button
            data-hook="tell-agent"
            tone="quiet"
            onClick={() => suggest(`I've connected ${service}. Please continue.`)}
          >
            Tell agent
          </Button>
        </p>
      )
    case 'removed':
      return <p data-hook="account-unavailable">{service} was removed from this workspace.</p>
    case 'needs_setup':
      return (
        <p data-hook="account-unavailable">
          {service} is not set up in this workspace. An owner can set it up under Connections.
        </p>
      )
    case 'available':
      return (
        <>
          {phase.kind === 'failed' ? (
            <p role="alert" className="text-fail">
              {phase.words}
            </p>
          ) : null}
          <Button data-hook="retry-connect" onClick={() => void connect()}>
            Retry
          </Button>
        </>
      )
  }
}
