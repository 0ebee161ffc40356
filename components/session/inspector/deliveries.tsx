'use client'
import { useEffect } from 'react'
import { systemOf } from '#components/session/act.ts'
import { Moment } from '#components/session/moment.tsx'
import { useSessionContext, useSessionState } from '#components/session/session-context.ts'
import { exact, length } from '#components/session/when.ts'
import type { Call } from '#lib/protocol/call.ts'
import type { Delivery, DeliveryAttempt } from '#lib/protocol/delivery.ts'

/** What was sent out to other systems, newest first: every attempt, and when there is a next one. */
export function DeliveriesTab() {
  const { store } = useSessionContext()
  const deliveries = useSessionState(state => state.deliveries)
  const calls = useSessionState(state => state.transcript.calls)
  useEffect(() => void store.loadDeliveries(), [store])
  const sorted = Object.values(deliveries).sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (sorted.length === 0) return <p className="px-4 py-3 text-muted">Nothing was sent to another system.</p>
  return (
    <ol aria-label="Deliveries" className="h-full overflow-y-auto">
      {sorted.map(delivery => (
        <DeliveryFacts
          key={delivery.id}
          delivery={delivery}
          call={delivery.toolCallId === undefined ? undefined : calls[delivery.toolCallId]}
        />
      ))}
    </ol>
  )
}

function DeliveryFacts({ delivery, call }: { delivery: Delivery; call: Call | undefined }) {
  const { go } = useSessionContext()
  const { attempts, state, to, nextAt, toolCallId } = delivery
  return (
    <li className="border-b px-4 py-3">
      <button
        type="button"
        title="Show its call in the transcript"
        onClick={() =>
          go({ inspect: 'deliveries', ...(toolCallId === undefined ? {} : { call: toolCallId }) })
        }
        className="tap flex w-full items-center justify-between gap-3 text-left"
      >
        <span className="truncate font-semibold">{call === undefined ? delivery.kind : systemOf(call)}</span>
        <span
          className={state === 'failed' ? 'text-fail' : state === 'pending' ? 'font-semibold' : 'text-muted'}
        >
          {state}
        </span>
      </button>
      <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{to}</p>
      {attempts.length === 0 ? (
        <p className="text-muted">Not tried yet.</p>
      ) : (
        <table className="mt-1 w-full">
          <thead className="sr-only">
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Time</th>
              <th scope="col">Status</th>
              <th scope="col">Took</th>
              <th scope="col">Error</th>
            </tr>
          </thead>
          <tbody className="align-top font-mono text-mono tabular-nums">
            {attempts.map((attempt, index) => (
              <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
            ))}
          </tbody>
        </table>
      )}
      {nextAt === undefined ? null : (
        <p>
          Next try <Moment at={nextAt} />, {left(delivery)} left.
        </p>
      )}
    </li>
  )
}

/** How many tries are left. */
const left = ({ retries, attempts }: Delivery) => Math.max(0, retries + 1 - attempts.length)

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  const { at, status, ms, error } = attempt
  return (
    <tr>
      <td className="w-6 text-muted">{number}</td>
      <td className="w-20">
        <time dateTime={at} title={at}>
          {exact(at)}
        </time>
      </td>
      <td className={`w-12 ${error === undefined ? '' : 'text-fail'}`}>{status ?? 'none'}</td>
      <td className="w-16 text-muted">{length(ms)}</td>
      <td className="font-sans text-ui text-muted [overflow-wrap:anywhere]">
        {status === undefined ? error : ''}
      </td>
    </tr>
  )
}
