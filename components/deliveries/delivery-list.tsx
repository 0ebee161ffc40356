'use client'
import type { DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { useRef } from 'react'
import { useListKeys } from '#components/browser/use-list-keys.ts'
import { useOnceTrue } from '#components/browser/use-once-true.ts'
import { Button } from '#components/ui/button.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { columns, DeliveryRow } from './delivery-row.tsx'
import { filters, type Shown } from './filter.ts'
import { useDeliveries } from './use-deliveries.ts'

/**
 * Lists the deliveries of the workspace to other services, newest first. `first` is the page that the server
 * rendered.
 */
export function DeliveryList({ first, shown }: { first: DeliveryPage; shown: Shown }) {
  const { me } = useWorkspace()
  const { deliveries, state, fault, busy, hasMore, choose, more, repeat } = useDeliveries(first, shown)
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, 'a')
  const hasControls = useOnceTrue(state !== 'all' || deliveries.length > 0 || fault !== undefined)
  return (
    <div aria-busy={busy}>
      {hasControls ? (
        <div className="pb-4">
          <Choices label="Show" chosen={state} choices={filters} onChoose={choose} />
        </div>
      ) : null}
      <p role="status" className={busy && deliveries.length === 0 ? 'pb-3 text-muted' : 'sr-only'}>
        {busy ? 'Loading…' : ''}
      </p>
      <p
        role="alert"
        data-hook="deliveries-error"
        className={fault === undefined ? 'sr-only' : 'pb-3 font-semibold'}
      >
        {fault}
      </p>
      {deliveries.length > 0 ? (
        <>
          <div aria-hidden="true" className={`hidden border-b pb-1 text-muted wide:grid ${columns}`}>
            <span className="pl-5">Time</span>
            <span>Session and URL</span>
            <span>Event</span>
            <span>State</span>
            <span className="text-right">Attempts</span>
          </div>
          <ol ref={list} aria-label="Deliveries" data-hook="deliveries" className="max-wide:border-t">
            {deliveries.map(delivery => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                onRepeat={me.maySend ? () => repeat(delivery) : undefined}
              />
            ))}
          </ol>
        </>
      ) : busy || fault !== undefined ? null : (
        filters
          .filter(({ value }) => value === state)
          .map(({ value, nothing, about }) => (
            <Empty
              key={value}
              title={nothing}
              data-hook="no-deliveries"
              action={
                value === 'all' && me.mayOwn ? (
                  <Link href="/settings/webhooks" className="tap inline-flex items-center">
                    Create webhook
                  </Link>
                ) : undefined
              }
            >
              {about}
            </Empty>
          ))
      )}
      {hasMore ? (
        <p className="mt-4">
          <Button onClick={more} disabled={busy} data-hook="show-more">
            Show earlier deliveries
          </Button>
        </p>
      ) : null}
    </div>
  )
}
