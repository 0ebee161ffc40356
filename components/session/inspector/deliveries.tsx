'use client'
import { useEffect } from 'react'
import { systemOf } from '#components/session/act.ts'
import { Moment } from '#components/session/moment.tsx'
import { useSessionContext, useSessionState } from '#components/session/session-context.ts'
import { exact, length } from '#components/session/when.ts'
import { Button } from '#components/ui/button.tsx'
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
  const { go, agent, store, may } = useSessionContext()
  const { attempts, state, to, nextAt, toolCallId } = delivery
  const mayRepeat = may.send && (state === 'failed' || state === 'delivered')
  return (
    <li className="border-b px-4 py-3">
      <button
        type="button"
        title={toolCallId === undefined ? undefined : 'Show its call in the transcript'}
        onClick={() =>
          go({ inspect: 'deliveries', ...(toolCallId === undefined ? {} : { call: toolCallId }) })
        }
        className="tap flex w-full items-center justify-between gap-3 text-left"
      >
        <span className="truncate font-semibold">
          {delivery.kind === 'webhook' ? 'Webhook' : call === undefined ? agent.displayName : systemOf(call)}
        </span>
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
      {mayRepeat ? (
        <Button tone="quiet" onClick={() => void store.redeliver(delivery.id)}>
          Send again
        </Button>
      ) : null}
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
        {status === undefined ? error : <Answered body={attempt.body} />}
      </td>
    </tr>
  )
}

/** What it said, one line of it; the rest on demand. */
function Answered({ body }: { body: string | undefined }) {
  if (body === undefined) return null
  return (
    <details>
      <summary className="tap truncate">{body.trim().split('\n')[0]?.slice(0, 40)}</summary>
      <pre className="max-h-40 overflow-auto font-mono text-mono whitespace-pre-wrap">{body}</pre>
    </details>
  )
}
