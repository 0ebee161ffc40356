'use client'
import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Section } from '#components/ui/section.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { type End, outcomeOf } from './disconnect.ts'

type ConnectedProps = { connections: readonly Connection[]; integrations: readonly ListedIntegration[] }

/**
 * Lists the connected accounts that agents can use. It also shows the outcome of revoking or deleting one,
 * because the connection can disappear from the list.
 */
export function Connected({ connections, integrations }: ConnectedProps) {
  const router = useRouter()
  const [said, setSaid] = useState('')
  const [fault, setFault] = useState('')
  const end = async (how: End, connection: Connection) => {
    const reply = await replyTo(client.connections[how](connection.connectionId))
    setSaid(reply.ok ? outcomeOf(how, connection, reply.body.atProvider) : '')
    setFault(reply.ok ? '' : changeError(reply))
    router.refresh()
  }
  return (
    <Section title="Connected">
      <p role="status" data-hook="ending-notice" className="max-w-[68ch] empty:hidden">
        {said}
      </p>
      <p role="alert" data-hook="ending-error" className="max-w-[68ch] text-fail empty:hidden">
        {fault}
      </p>
      {connections.length === 0 ? (
        <div data-hook="no-connections" className="flex max-w-[68ch] flex-col gap-2">
          <p>
            No accounts are connected yet. A connection lets agents use an account at another service, such as
            GitHub. Agents use your own accounts only for your requests. They can use workspace accounts in
            any session.
          </p>
          <p className="text-muted">
            Credentials are encrypted on this server. They never enter a conversation, and no agent or model
            sees them.
          </p>
        </div>
      ) : (
        <ul aria-label="Connections" data-hook="connections" className="-mt-3">
          {connections.map(connection => (
            <ConnectionRow
              key={connection.connectionId}
              connection={connection}
              integration={integrations.find(one => one.integration === connection.integration)}
              end={how => end(how, connection)}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}
