import type { DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { DeliveryFacts, isRepeatable } from '#components/session/content/delivery-facts.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'

export type Listed = DeliveryPage['deliveries'][number]

const kinds: Record<Listed['kind'], string> = {
  'call.opened': 'Call to an external tool',
  message: 'Message to an external agent',
  webhook: 'Webhook'
}

/**
 * A delivery in the list of the workspace. In addition to the usual facts, it shows the session, kind and
 * creation time.
 */
export function DeliveryRow({ delivery, onRepeat }: { delivery: Listed; onRepeat?: () => void }) {
  const { sessionId, title, toolCallId, kind, event, createdAt } = delivery
  const call = toolCallId === undefined ? {} : { call: toolCallId }
  const head = (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      <Link
        href={sessionPath(sessionId, { inspect: 'deliveries', ...call })}
        prefetch={false}
        className="reach min-w-0 truncate text-person font-semibold no-underline hover:underline"
      >
        {sessionTitle(title, sessionId)}
      </Link>
      <span className="text-muted">
        {kinds[kind]}
        {event === undefined ? null : <code className="font-mono text-mono"> {event}</code>} ·{' '}
        <Time at={createdAt} />
      </span>
    </p>
  )
  return (
    <li data-kind={delivery.kind} data-of={sessionId} className="border-b py-3">
      <DeliveryFacts
        delivery={delivery}
        head={head}
        onRepeat={isRepeatable(delivery) ? onRepeat : undefined}
      />
    </li>
  )
}
