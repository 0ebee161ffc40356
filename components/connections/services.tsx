'use client'
import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Rows } from '#components/workspace/rows.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ConnectionRow } from './connection-row.tsx'
import { type End, outcomeOf } from './disconnect.ts'
import { ServiceRow } from './service-row.tsx'

type ServicesProps = { connections: readonly Connection[]; integrations: readonly ListedIntegration[] }

/**
 * Lists the services with the accounts that agents can use there, those with accounts first. It also shows the outcome
 * of revoking or deleting an account, because the account can disappear from the list.
 */
export function Services({ connections, integrations }: ServicesProps) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [said, setSaid] = useState('')
  const [fault, setFault] = useState('')
  const end = async (how: End, connection: Connection) => {
    const reply = await replyTo(client.connections[how](connection.connectionId))
    setSaid(reply.ok ? outcomeOf(how, connection, reply.body.atProvider) : '')
    setFault(reply.ok ? '' : changeError(reply))
    router.refresh()
  }
  const accounts = Map.groupBy(connections, ({ integration }) => integration)
  const names = new Set(integrations.map(({ integration }) => integration))
  const removed = connections.filter(({ integration }) => !names.has(integration))
  const rowOf = (connection: Connection) => (
    <ConnectionRow
      key={connection.connectionId}
      connection={connection}
      integration={integrations.find(one => one.integration === connection.integration)}
      end={how => end(how, connection)}
    />
  )
  return (
    <div className="flex flex-col gap-6">
      <p role="status" data-hook="ending-notice" className="max-w-[68ch] empty:hidden">
        {said}
      </p>
      <p role="alert" data-hook="ending-error" className="max-w-[68ch] text-fail empty:hidden">
        {fault}
      </p>
      <p
        data-hook={connections.length === 0 ? 'no-connections' : undefined}
        className="max-w-[68ch] text-muted"
      >
        {connections.length === 0 ? 'No accounts are connected yet. ' : ''}
        {me.mayAnswer
          ? 'Agents use yours only for your requests, and accounts of the workspace in every session.'
          : 'You can view connections but not create them. Ask an operator, editor or owner for access.'}{' '}
        Credentials are never shown to an agent or a model.
      </p>
      <Rows aria-label="Services" data-hook="services">
        {integrations
          .toSorted((a, b) => Number(accounts.has(b.integration)) - Number(accounts.has(a.integration)))
          .map(one => (
            <ServiceRow key={one.integration} integration={one}>
              {accounts.get(one.integration)?.map(rowOf)}
            </ServiceRow>
          ))}
      </Rows>
      {removed.length === 0 ? null : (
        <ul aria-label="Accounts of removed services" className="border-t">
          {removed.map(rowOf)}
        </ul>
      )}
    </div>
  )
}
