import type { Call } from '@waystation/protocol/call/call.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { useEffect } from 'react'
import { DeliveryFacts, isRepeatable } from '#components/session/content/delivery-facts.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { systemOf } from '#components/session/wording/describe-call.ts'

/** The deliveries to external systems, newest first, with all attempts and the time of the next one. */
export function DeliveriesTab() {
  const { store } = useSessionContext()
  const deliveries = useSessionState(state => state.deliveries)
  const calls = useSessionState(state => state.transcript.calls)
  useEffect(() => void store.loadDeliveries(), [store])
  const sorted = Object.values(deliveries).sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (sorted.length === 0)
    return (
      <p className="px-4 py-3 text-muted">No deliveries yet. Requests to external systems appear here.</p>
    )
  return (
    <ol aria-label="Deliveries" data-hook="deliveries" className="h-full overflow-y-auto">
      {sorted.map(delivery => (
        <Row
          key={delivery.id}
          delivery={delivery}
          call={delivery.toolCallId === undefined ? undefined : calls[delivery.toolCallId]}
        />
      ))}
    </ol>
  )
}

function Row({ delivery, call }: { delivery: Delivery; call: Call | undefined }) {
  const { go, agent, store, may } = useSessionContext()
  const { toolCallId, kind } = delivery
  const head = (
    <button
      type="button"
      title={toolCallId === undefined ? undefined : 'Show call in transcript'}
      onClick={() => go({ inspect: 'deliveries', ...(toolCallId === undefined ? {} : { call: toolCallId }) })}
      className="tap flex min-w-0 flex-1 items-center text-left"
    >
      <span className="truncate font-semibold">
        {kind === 'webhook' ? 'Webhook' : call === undefined ? agent.displayName : systemOf(call)}
      </span>
    </button>
  )
  return (
    <li className="border-b px-4 py-3">
      <DeliveryFacts
        delivery={delivery}
        head={head}
        onRepeat={may.send && isRepeatable(delivery) ? () => void store.redeliver(delivery.id) : undefined}
      />
    </li>
  )
}
