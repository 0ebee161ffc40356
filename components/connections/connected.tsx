'use client'
import { Section } from '#components/settings/section.tsx'
import type { Connection } from '#lib/protocol/connection.ts'
import type { ListedIntegration } from '#lib/protocol/integration.ts'
import { ConnectionRow } from './connection-row.tsx'
import { useEnding } from './ending.ts'

type ConnectedProps = { connections: readonly Connection[]; integrations: readonly ListedIntegration[] }

/** The accounts that agents may use. */
export function Connected({ connections, integrations }: ConnectedProps) {
  const { said, fault, end } = useEnding()
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
            No account is connected yet. A connection is an account at another service, such as GitHub, that
            agents here may use: yours in what you ask for, the workspace’s in every session.
          </p>
          <p className="text-muted">
            What opens the account is sealed on this server. It is never in a conversation, and no agent and
            no model sees it.
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
