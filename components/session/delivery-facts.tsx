'use client'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import type { Delivery, DeliveryAttempt } from '#lib/protocol/delivery.ts'
import { Moment } from './moment.tsx'
import { exact, length } from './when.ts'

type DeliveryFactsProps = {
  delivery: Delivery
  /** What it was and for whom, with what one may do with it; beside its state. */
  head: ReactNode
  /** Sends it again; absent: nobody may, or there is nothing to send. */
  onRepeat?: (() => void) | undefined
}

/** A delivery: how it stands, every attempt, and when there is a next one. */
export function DeliveryFacts({ delivery, head, onRepeat }: DeliveryFactsProps) {
  const { attempts, state, to, nextAt } = delivery
  return (
    <>
      <div className="flex w-full items-center justify-between gap-3">
        {head}
        <span
          className={state === 'failed' ? 'text-fail' : state === 'pending' ? 'font-semibold' : 'text-muted'}
        >
          {state}
        </span>
      </div>
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
      {onRepeat === undefined ? null : (
        <Button tone="quiet" onClick={onRepeat}>
          Send again
        </Button>
      )}
    </>
  )
}

/** Whether sending it again means anything: it failed, or the other system took it and lost it. */
export const isRepeatable = ({ state }: Delivery): boolean => state === 'failed' || state === 'delivered'

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
