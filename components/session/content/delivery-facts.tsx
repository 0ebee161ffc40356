import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { type ReactNode, useState } from 'react'
import { exactOrClock, length } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { Time } from '#components/ui/time.tsx'

type DeliveryFactsProps = {
  delivery: Delivery
  /** The description of the delivery and its actions. Shown next to its state. */
  head: ReactNode
  /** Sends the delivery again. Absent if the user has no permission, or if it cannot be sent again. */
  onRepeat?: (() => void) | undefined
}

export const deliveryLooks: Record<Delivery['state'], string> = {
  pending: 'font-semibold',
  delivered: 'text-muted',
  failed: 'text-fail',
  withdrawn: 'text-muted'
}

/** Shows a delivery: its state, its attempts, and when the next attempt starts. */
export function DeliveryFacts({ delivery, head, onRepeat }: DeliveryFactsProps) {
  const { state, to } = delivery
  return (
    <>
      <div className="flex w-full items-center justify-between gap-3">
        {head}
        <span
          data-hook="delivery-state"
          data-state={state}
          className={`shrink-0 capitalize ${deliveryLooks[state]}`}
        >
          {state}
        </span>
      </div>
      <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{to}</p>
      <Attempts delivery={delivery} />
      {onRepeat === undefined ? null : (
        <Button tone="quiet" onClick={onRepeat} data-hook="redeliver">
          Send again
        </Button>
      )}
    </>
  )
}

/** True if a delivery can be sent again: it failed, or the receiver accepted it and can have lost it. */
export const isRepeatable = ({ state }: Delivery): boolean => state === 'failed' || state === 'delivered'

/**
 * Shows the attempts, and when the next one starts. If there are five or more, shows only the last three until the user
 * requests the others.
 */
export function Attempts({ delivery: { attempts, retries, nextAt } }: { delivery: Delivery }) {
  const now = useNow()
  const [all, setAll] = useState(false)
  const hidden = all || attempts.length < 5 ? 0 : attempts.length - 3
  return (
    <>
      {hidden === 0 ? null : (
        <Button tone="quiet" onClick={() => setAll(true)}>
          Show {hidden} earlier attempts
        </Button>
      )}
      {attempts.length === 0 ? <p className="text-muted">No attempts yet.</p> : null}
      <table className="mt-1 w-full table-fixed">
        <colgroup>
          <col className="w-24" />
          <col className="w-14" />
          <col className="w-18 max-mid:hidden" />
          <col />
        </colgroup>
        <thead className="text-left text-muted">
          <tr className="*:font-normal">
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col" className="max-mid:hidden">
              Duration
            </th>
            <th scope="col">Response</th>
          </tr>
        </thead>
        <tbody className="align-baseline font-mono text-mono tabular-nums">
          {attempts.slice(hidden).map(({ at, status, ms, error, body }) => (
            <tr key={at}>
              <td>
                <time dateTime={at} title={at}>
                  {now === undefined ? '' : exactOrClock(at, now)}
                </time>
              </td>
              <td className={error === undefined ? '' : 'text-fail'}>{status ?? 'none'}</td>
              <td className="text-muted max-mid:hidden">{length(ms)}</td>
              <td className="font-sans text-ui text-muted [overflow-wrap:anywhere]">
                {status === undefined ? error : <Answered body={body} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {nextAt === undefined ? null : (
        <p data-hook="next-attempt">
          Next attempt <Time at={nextAt} />, {Math.max(0, retries + 1 - attempts.length)} left.
        </p>
      )}
    </>
  )
}

/** Shows the first line of a response. The full response opens below the row, across its columns (224 px, or 152 px without the duration). */
function Answered({ body }: { body: string | undefined }) {
  if (body === undefined) return null
  return (
    <details>
      <summary className="tap truncate max-mid:leading-[44px]">
        {body.trim().split('\n')[0]?.slice(0, 200)}
      </summary>
      <pre className="-ml-[152px] mid:-ml-[224px] max-h-40 overflow-auto pb-2 font-mono text-mono whitespace-pre-wrap">
        {body}
      </pre>
    </details>
  )
}
