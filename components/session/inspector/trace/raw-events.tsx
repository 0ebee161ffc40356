import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { useEffect, useRef, useState } from 'react'
import { exact } from '#components/browser/format-time.ts'
import { Json } from '#components/ui/json.tsx'
import { eventName } from './trace-events.ts'

/** The events of a row, oldest first. Chunks in a row are one line, until it is unfolded. `seq` is open at first. */
export function RawEvents({ events, seq }: { events: readonly SessionEvent[]; seq: number | undefined }) {
  return (
    <ol aria-label="Events" data-hook="raw-events" className="border-t">
      {groupsOf(events).map(group => {
        const first = group[0]
        if (first === undefined) return null
        const isOpen = group.some(event => event.seq === seq)
        return group.length === 1 ? (
          <EventRow key={first.seq} event={first} isTarget={isOpen} />
        ) : (
          <Chunks key={first.seq} events={group} seq={isOpen ? seq : undefined} />
        )
      })}
    </ol>
  )
}

/** Puts chunks that follow each other into one group. */
function groupsOf(events: readonly SessionEvent[]): SessionEvent[][] {
  const groups: SessionEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (event.type === 'chunk' && last?.[0]?.type === 'chunk') last.push(event)
    else groups.push([event])
  }
  return groups
}

function Chunks({ events, seq }: { events: readonly SessionEvent[]; seq: number | undefined }) {
  const [open, setOpen] = useState(seq !== undefined)
  return (
    <li className="border-b">
      <EventButton
        seq={events[0]?.seq}
        at={events[0]?.at}
        name={`${events.length} chunks`}
        open={open}
        onClick={() => setOpen(!open)}
      />
      {open ? (
        <ol className="border-t pl-4">
          {events.map(event => (
            <EventRow key={event.seq} event={event} isTarget={event.seq === seq} />
          ))}
        </ol>
      ) : null}
    </li>
  )
}

function EventRow({ event, isTarget }: { event: SessionEvent; isTarget: boolean }) {
  const [open, setOpen] = useState(isTarget)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isTarget) return
    setOpen(true)
    row.current?.scrollIntoView({ block: 'nearest' })
  }, [isTarget])
  return (
    <li
      ref={row}
      data-event={event.seq}
      className="border-b last:border-b-0 [content-visibility:auto] [contain-intrinsic-block-size:28px]"
    >
      <EventButton
        seq={event.seq}
        at={event.at}
        name={eventName(event)}
        open={open}
        onClick={() => setOpen(!open)}
      />
      {open ? (
        <div className="pb-3">
          <Json label={`Event ${event.seq}`} value={event} />
        </div>
      ) : null}
    </li>
  )
}

type EventButtonProps = {
  seq: number | undefined
  at: string | undefined
  name: string
  open: boolean
  onClick: () => void
}

function EventButton({ seq, at, name, open, onClick }: EventButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onClick}
      className="tap flex h-7 w-full items-center gap-3 text-left font-mono text-mono hover:bg-ground"
    >
      <span className="min-w-8 shrink-0 text-right text-muted">{seq}</span>
      <time dateTime={at} title={at} className="shrink-0 text-muted">
        {at === undefined ? '' : exact(at)}
      </time>
      <span className="min-w-0 flex-1 truncate">{name}</span>
    </button>
  )
}
