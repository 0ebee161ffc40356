import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { type End, nameOf, warningOf } from './disconnect.ts'
import { canDisconnect, canReconnect } from './permissions.ts'
import { useConnecting } from './use-connecting.ts'

const verbs: Record<End, string> = { revoke: 'Revoke', delete: 'Delete' }

type ConnectionRowProps = {
  connection: Connection
  /** Undefined if the integration no longer exists. */
  integration: ListedIntegration | undefined
  end: (how: End) => Promise<void>
}

/** Shows a connection and the actions that the user can take. Revoking and deleting need confirmation. */
export function ConnectionRow({ connection, integration, end }: ConnectionRowProps) {
  const { me } = useWorkspace()
  const { connecting, connect } = useConnecting()
  const { service, slug, sharing, mode, state } = connection
  const name = nameOf(connection)
  const ends: End[] = state === 'revoked' ? ['delete'] : ['revoke', 'delete']
  const again = () => {
    if (sharing === 'session') return
    connect({ integration: connection.integration, service, slug, sharing, mode })
  }
  return (
    <li
      data-hook="connection"
      data-service={connection.integration}
      data-state={state}
      data-sharing={sharing}
      className="border-t py-3"
    >
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <ConnectionFacts connection={connection} isRemoved={integration === undefined} />
        <div className="flex min-h-5 flex-wrap items-center gap-x-4 gap-y-2">
          {canReconnect(me, connection, integration) ? (
            <Button
              data-hook="reconnect-account"
              tone={state === 'active' ? 'quiet' : 'plain'}
              onClick={again}
              aria-label={`Reconnect ${name}`}
            >
              Reconnect
            </Button>
          ) : null}
          {canDisconnect(me, connection)
            ? ends.map(how => (
                <ConfirmButton
                  key={how}
                  data-hook={`${how}-connection`}
                  tone="quiet"
                  aria-label={`${verbs[how]} ${name}…`}
                  title={`${verbs[how]} ${name}?`}
                  description={warningOf(how, connection)}
                  act={`${verbs[how]} connection`}
                  onAct={() => end(how)}
                >
                  {verbs[how]}…
                </ConfirmButton>
              ))
            : null}
        </div>
      </div>
      {connecting.map(one => (
        <ConnectLine key={one.target.slug} connecting={one} />
      ))}
    </li>
  )
}
