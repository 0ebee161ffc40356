'use client'
import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useState } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { ConnectionFacts } from './connection-facts.tsx'
import { type End, nameOf, warningOf } from './disconnect.ts'
import { canDisconnect, canReconnect } from './permissions.ts'
import { useConnecting } from './use-connecting.ts'

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
  const [asked, setAsked] = useState<End>()
  const { service, slug, sharing, mode, state } = connection
  const name = nameOf(connection)
  // A double click must not send a second request, which would fail.
  const [finish] = useAction(async () => {
    await end(asked ?? 'revoke')
    setAsked(undefined)
  })
  const again = () => {
    if (sharing === 'session') return
    connect({ integration: connection.integration, service, slug, sharing, mode })
  }
  return (
    <li data-hook="connection" data-state={state} data-sharing={sharing} className="border-b py-3">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <ConnectionFacts connection={connection} />
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
          {canDisconnect(me, connection) ? (
            <>
              {state === 'revoked' ? null : (
                <Button
                  data-hook="revoke-connection"
                  tone="quiet"
                  onClick={() => setAsked('revoke')}
                  aria-label={`Revoke ${name}…`}
                >
                  Revoke…
                </Button>
              )}
              <Button
                data-hook="delete-connection"
                tone="quiet"
                onClick={() => setAsked('delete')}
                aria-label={`Delete ${name}…`}
              >
                Delete…
              </Button>
            </>
          ) : null}
        </div>
      </div>
      {connecting.map(one => (
        <ConnectLine key={one.target.slug} connecting={one} />
      ))}
      <Dialog
        open={asked !== undefined}
        onOpenChange={open => open || setAsked(undefined)}
        title={`${asked === 'delete' ? 'Delete' : 'Revoke'} ${name}?`}
        description={warningOf(asked ?? 'revoke', connection)}
      >
        <ConfirmButtons
          act={asked === 'delete' ? 'Delete connection' : 'Revoke connection'}
          onAct={() => void finish()}
          onKeep={() => setAsked(undefined)}
        />
      </Dialog>
    </li>
  )
}
