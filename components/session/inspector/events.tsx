import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { exact } from '#components/browser/format-time.ts'
import { followCurl } from '#components/session/store/follow-curl.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useLog } from '#components/session/store/use-log.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Input } from '#components/ui/input.tsx'
import { Json } from '#components/ui/json.tsx'

/**
 * The events of the log, newest first, with number, time, type and size. The event that the URL names (`seq`)
 * is open and shows its JSON.
 */
export function EventsTab({ seq }: { seq: number | undefined }) {
  const { store, go } = useSessionContext()
  const { events, more, problem, loadMore } = useLog()
  const [filter, setFilter] = useState('')
  const shown = useMemo(
    () => events.filter(event => matches(event, filter.trim().toLowerCase())),
    [events, filter]
  )
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-2 border-b px-4 py-2">
        <Input
          type="search"
          aria-label="Filter events"
          placeholder="Filter by type, ID or text"
          value={filter}
          onChange={event => setFilter(event.target.value)}
          className="flex-1 text-ui"
        />
        <CopyButton label="Copy as curl" text={followCurl(store, seq === undefined ? 0 : seq - 1)} />
      </div>
      {problem === undefined ? null : <p className="px-4 py-2 text-fail">Couldn't load the log. {problem}</p>}
      <ol aria-label="Events" className="min-h-0 flex-1 overflow-y-auto">
        {shown.map(event => (
          <EventRow
            key={event.seq}
            event={event}
            open={event.seq === seq}
            onOpen={() => go({ inspect: 'events', ...(event.seq === seq ? {} : { seq: event.seq }) })}
          />
        ))}
        {shown.length === 0 ? <li className="px-4 py-3 text-muted">No matching events.</li> : null}
        {more ? (
          <li className="px-4 py-2">
            <Button tone="quiet" onClick={loadMore}>
              Load earlier events
            </Button>
          </li>
        ) : null}
      </ol>
    </div>
  )
}

function EventRow({ event, open, onOpen }: { event: SessionEvent; open: boolean; onOpen: () => void }) {
  const row = useRef<HTMLLIElement>(null)
  const text = useMemo(() => JSON.stringify(event), [event])
  useEffect(() => {
    if (open) row.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <li
      ref={row}
      data-event={event.seq}
      className="border-b [content-visibility:auto] [contain-intrinsic-block-size:32px]"
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={onOpen}
        className="tap flex h-8 w-full items-center gap-3 px-4 text-left font-mono text-mono outline-offset-[-2px]"
      >
        <span className="w-12 shrink-0 text-right text-muted">{event.seq}</span>
        <time dateTime={event.at} title={event.at} className="w-16 shrink-0 text-muted">
          {exact(event.at)}
        </time>
        <span className="min-w-0 flex-1 truncate">{typeOf(event)}</span>
        <span className="shrink-0 text-muted tabular-nums">{sizeOf(text)}</span>
      </button>
      {open ? (
        <div className="px-4 pb-3">
          <Json label={`Event ${event.seq}`} value={event} />
        </div>
      ) : null}
    </li>
  )
}

const typeOf = (event: SessionEvent) =>
  event.type === 'chunk'
    ? `chunk ${event.chunk.type}`
    : event.type === 'call'
      ? `call ${event.call.toolName} ${event.call.state}`
      : event.type === 'status'
        ? `status ${event.status}${event.outcome === undefined ? '' : ` ${event.outcome}`}`
        : event.type === 'delivery'
          ? `delivery ${event.delivery.state} ${event.delivery.attempts.at(-1)?.status ?? ''}`
          : event.type

const sizeOf = (text: string) => {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`
}

const matches = (event: SessionEvent, filter: string) =>
  filter === '' ||
  typeOf(event).toLowerCase().includes(filter) ||
  JSON.stringify(event).toLowerCase().includes(filter)
