'use client'
import type { OobEdges } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useId, useRef, useState, useSyncExternalStore } from 'react'
import { client } from '#components/browser/client.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useListKeys } from '#components/browser/use-list-keys.ts'
import { useOnceTrue } from '#components/browser/use-once-true.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Button } from '#components/ui/button.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Select } from '#components/ui/select.tsx'
import { CodeRow } from '#components/workspace/code-row.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Drawing } from './drawing.tsx'
import { edgeId } from './edge.ts'
import { EdgeRow } from './edge-row.tsx'
import { MessageList } from './message-list.tsx'
import { addressOf, longest, spans, type View, views } from './page-url.ts'

/**
 * Shows the out-of-band messages of the workspace (004-17), as pairs of sender and receiver or one by one.
 * `first` is the data that the server rendered, and `any` tells if
 * the longest time range has signals.
 */
export function OutOfBandPage(begun: { first: OobEdges; hours: number; view: View; any: boolean }) {
  const [hours, setHours] = useState(begun.hours)
  const [view, setView] = useState(begun.view)
  const { edges, more, busy, offline } = useEdges(begun.first, hours)
  const hasControls = useOnceTrue(begun.any || edges.length > 0)
  const show = (hours: number, view: View) => {
    setHours(hours)
    setView(view)
    window.history.replaceState(null, '', addressOf(hours, view))
  }
  return (
    <div aria-busy={busy}>
      {hasControls ? (
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 pb-4">
          <Choices label="Show" chosen={view} choices={views} onChoose={to => show(hours, to)} />
          <Choices label="Time range" chosen={hours} choices={spans} onChoose={to => show(to, view)} />
        </div>
      ) : null}
      <p role="status" className={offline ? 'pb-3 font-semibold' : busy ? 'pb-3 text-muted' : 'sr-only'}>
        {offline ? `${unreachable} The list may be out of date. Retrying…` : busy ? 'Loading…' : ''}
      </p>
      {edges.length === 0 && !busy ? (
        hasControls ? (
          <Nothing hours={hours} onWider={() => show(longest, view)} />
        ) : (
          <Example />
        )
      ) : view === 'edges' ? (
        <Edges edges={edges} more={more} hours={hours} />
      ) : (
        <div>
          <MessageList wanted={{ hours }} edges={edges} ends />
        </div>
      )}
    </div>
  )
}

/**
 * Returns the polling interval, in ms. Ranges over a day cost more and change less, so they are polled less
 * often.
 */
const paceOf = (hours: number) => (hours <= 24 ? 5000 : 60_000)

/**
 * Polls the pairs of sender and receiver of the last `hours` hours while the page is visible. `offline`: the
 * last request failed. `busy`: the pairs are still those of another range.
 */
function useEdges(first: OobEdges, hours: number) {
  const [begun] = useState(hours)
  const { data, isError, isPlaceholderData } = useRead({
    queryKey: ['out-of-band edges', hours],
    queryFn: () => client.call('listOobEdges', { query: { hours } }),
    first: hours === begun ? first : undefined,
    placeholderData: before => before,
    refetchInterval: paceOf(hours),
    refetchOnWindowFocus: true
  })
  return { ...(data ?? first), busy: isPlaceholderData, offline: isError }
}

/** Lists pairs of sender and receiver, with a diagram of the same data. */
function Edges({ edges, more, hours }: { edges: OobEdges['edges']; more: boolean; hours: number }) {
  const [open, setOpen] = useState<string>()
  const [marked, setMarked] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, '[data-edge]')
  return (
    <div className="flex flex-col gap-6">
      <Drawing edges={edges} marked={marked ?? open} />
      <div className="min-w-0">
        <ol ref={list} aria-label="Senders and receivers" data-hook="told-edges" className="border-t">
          {edges.map(edge => {
            const id = edgeId(edge)
            return (
              <EdgeRow
                key={id}
                edge={edge}
                hours={hours}
                open={open === id}
                toggle={() => setOpen(is => (is === id ? undefined : id))}
                onMark={on => setMarked(on ? id : undefined)}
              />
            )
          })}
        </ol>
        {more ? (
          <p className="mt-4 max-w-[68ch] text-muted">
            Showing the {edges.length} most recent pairs. To see older signals, select “All signals”.
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** The empty state of a time range. Its button selects the longest one. */
function Nothing({ hours, onWider }: { hours: number; onWider: () => void }) {
  const words = spans.find(({ value }) => value === hours)?.label ?? `${hours} h`
  return (
    <Empty
      title={`No signals in the last ${words}`}
      data-hook="nothing-told"
      action={
        hours === longest ? undefined : (
          <Button data-hook="show-longest" onClick={onWider}>
            Show last 30 days
          </Button>
        )
      }
    />
  )
}

/** The empty state of a workspace without signals, with a command that sends one. */
function Example() {
  const id = useId()
  const origin = useSyncExternalStore(
    () => () => {},
    () => window.location.origin,
    () => ''
  )
  const [chosen, setChosen] = useState<string>()
  const { data } = useRead({
    queryKey: ['sessions for a signal'],
    queryFn: () => client.sessions.list({ limit: 20 })
  })
  const sessions = data?.sessions ?? []
  const sessionId = chosen ?? sessions[0]?.id ?? 'SESSION_ID'
  const href = client.href('sendOutOfBand', { path: { sessionId } })
  return (
    <Empty
      title="No signals yet"
      data-hook="nothing-told"
      action={
        <div className="w-[620px] max-w-full text-left">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
            <label htmlFor={id} className="font-semibold">
              Send one to a session
            </label>
            {sessions.length === 0 ? null : (
              <Select
                id={id}
                data-hook="signal-session"
                value={sessionId}
                onChange={setChosen}
                options={sessions.map(({ id, title }) => ({ value: id, label: sessionTitle(title, id) }))}
                className="min-w-0 max-w-80"
              />
            )}
            <Link href="/settings/keys" className="reach ml-auto">
              Create API key
            </Link>
          </div>
          <CodeRow
            code={`curl '${origin}${href}' \\
  -H "authorization: Bearer $WAYSTATION_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"content": "Build 7 is red.", "sourceId": "ci"}'`}
          />
        </div>
      }
    >
      Signals tell an agent something while it works. Builds, watchers, people and other agents send them.
    </Empty>
  )
}
