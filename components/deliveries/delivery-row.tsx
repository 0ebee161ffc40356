import type { DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { useState } from 'react'
import { Attempts, deliveryLooks, isRepeatable } from '#components/session/content/delivery-facts.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Button } from '#components/ui/button.tsx'
import { ChevronIcon } from '#components/ui/icons.tsx'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'

export type Listed = DeliveryPage['deliveries'][number]

const kinds: Record<Listed['kind'], string> = {
  'call.opened': 'Call to an external tool',
  message: 'Message to an external agent',
  webhook: 'Webhook'
}

/** The columns of the list on wide screens: time, session and URL, event, state, attempts and action. */
export const columns = 'wide:grid-cols-[88px_minmax(0,1fr)_168px_80px_88px_88px] gap-x-4'

/** A delivery in the list of the workspace. It opens to its attempts. A failed one is open at first. */
export function DeliveryRow({ delivery, onRepeat }: { delivery: Listed; onRepeat?: () => void }) {
  const { sessionId, title, toolCallId, kind, event, createdAt, state, to, attempts } = delivery
  const [open, setOpen] = useState(state === 'failed')
  const call = toolCallId === undefined ? {} : { call: toolCallId }
  return (
    <li data-kind={kind} data-of={sessionId} className="border-b py-3">
      <div className={`grid grid-cols-[minmax(0,1fr)_auto] items-start gap-y-1 ${columns}`}>
        <Time at={createdAt} className="text-muted tabular-nums" />
        <div className="min-w-0 max-wide:col-span-2">
          <Link
            href={sessionPath(sessionId, { inspect: 'deliveries', ...call })}
            prefetch={false}
            className="reach block truncate font-semibold no-underline hover:underline"
          >
            {sessionTitle(title, sessionId)}
          </Link>
          <p className="truncate font-mono text-mono text-muted" title={to}>
            {to}
          </p>
        </div>
        <p className="min-w-0 text-muted [overflow-wrap:anywhere]">
          {event === undefined ? kinds[kind] : <code className="font-mono text-mono">{event}</code>}
        </p>
        <span
          data-hook="delivery-state"
          data-state={state}
          className={`max-wide:col-start-2 max-wide:row-start-1 max-wide:text-right ${deliveryLooks[state]}`}
        >
          {state}
        </span>
        <button
          type="button"
          data-hook="show-attempts"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="reach flex items-center gap-1 text-muted tabular-nums hover:text-ink"
        >
          <span className={open ? 'rotate-90' : ''}>
            <ChevronIcon />
          </span>
          {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
        </button>
        {onRepeat !== undefined && isRepeatable(delivery) ? (
          <Button
            tone="quiet"
            onClick={onRepeat}
            data-hook="redeliver"
            className="max-wide:col-start-2 max-wide:justify-self-end"
          >
            Send again
          </Button>
        ) : null}
      </div>
      {open ? (
        <div className="pt-2 wide:pl-[104px]">
          <Attempts delivery={delivery} />
        </div>
      ) : null}
    </li>
  )
}
