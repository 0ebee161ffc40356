import { useVirtualizer } from '@tanstack/react-virtual'
import { alarmSender } from '@waystation/protocol/session/alarm-message.ts'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { clockOrDay } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { RailLine } from '#components/session/content/rail-line.tsx'
import { useRowReveal } from '#components/session/store/row-highlight.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { usePeopleWaits } from '#components/session/store/use-waits.ts'
import { isOf, type Row } from '#components/session/transcript/rows/rows.ts'
import { Button } from '#components/ui/button.tsx'
import { DownIcon } from '#components/ui/icons.tsx'
import { nodeOf } from './node-of.ts'
import { Origin } from './origin.tsx'
import { RailEnd } from './rail.tsx'
import { heightOf } from './row-size.ts'
import { spaceAbove } from './row-space.ts'
import { RowView } from './row-view.tsx'
import { useEarlier } from './use-earlier.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { focusRow, rowElement, useRowKeys } from './use-row-keys.ts'

type TranscriptProps = {
  rows: readonly Row[]
  /** The ID, from the URL, of a call to show and open, or of an out-of-band message to show. */
  target: string | undefined
  /** Rendered when there are no rows. */
  empty: ReactNode
  navigator: ReactNode
  label?: string | undefined
}

/**
 * With at least this many rows, only the visible ones are rendered (001-21). A page has as many messages, so
 * earlier pages are not inserted above a list that is rendered completely.
 */
const manyRows = 50
/** Sessions with fewer rows need no navigator, and do not load its code. */
const fewestRows = 4
/** The width of the list and the height of a row before they are known, in px. */
const usual = { width: 900, height: 96 }

/** The messages of a session as rows on a rail. The view follows the end only while the reader is there. */
export function Transcript({ rows, target, empty, navigator, label = 'Transcript' }: TranscriptProps) {
  const { store } = useSessionContext()
  const running = useSessionState(state => state.transcript.status === 'running')
  const waits = usePeopleWaits().length > 0 && !running
  const earlier = useSessionState(state => state.earlier)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<Readonly<Record<string, boolean>>>({})
  const onToggle = useCallback(
    (key: string, open: boolean) => setExpanded(before => ({ ...before, [key]: open })),
    []
  )
  const many = rows.length >= manyRows
  const latest = useRef({ rows, width: usual.width })
  latest.current.rows = rows
  // The function keeps its identity, because a new one makes the virtualizer measure every row again.
  const keyOf = useCallback((index: number) => latest.current.rows[index]?.key ?? index, [])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => {
      const row = latest.current.rows[index]
      return row === undefined ? usual.height : heightOf(row, latest.current.width)
    },
    getItemKey: keyOf,
    overscan: 12,
    enabled: many,
    // Keeps the view in place when rows are inserted above it.
    anchorTo: 'end',
    useFlushSync: false
  })
  // The virtualizer reports the width, because it observes the scroll box anyway.
  latest.current.width = virtual.scrollRect?.width || latest.current.width
  const end = useFollowEnd(scroller, content, rows, many)
  const nearTop = useEarlier(scroller, head, many, end.following)
  const onScroll = () => {
    end.onScroll()
    nearTop()
  }
  useRowKeys(scroller, rows, index => many && virtual.scrollToIndex(index, { align: 'auto' }))

  const shown = useRef<string | undefined>(undefined)
  const show = (isWanted: (row: Row) => boolean) => {
    const index = rows.findIndex(isWanted)
    const row = rows[index]
    if (row === undefined) return
    end.following.current = false
    if (row.kind === 'tool') onToggle(row.key, true)
    if (many) virtual.scrollToIndex(index, { align: 'center' })
    else rowElement(scroller, row.key)?.scrollIntoView({ block: 'center' })
    return row.key
  }
  useLayoutEffect(() => {
    if (target === undefined || shown.current === target) return
    if (show(row => isOf(row, target)) !== undefined) shown.current = target
  })
  useRowReveal(key => {
    // A reply's rows have keys of their own.
    const shownKey = show(row => row.key === key || row.messageId === key)
    if (shownKey !== undefined) focusRow(scroller, shownKey)
  })

  const items = many ? virtual.getVirtualItems() : undefined
  const indices = items?.map(item => item.index) ?? rows.map((_, index) => index)
  const newest = rows.at(-1)
  const now = useNow()
  return (
    <div className="@container relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        data-hook="transcript"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll box needs keyboard access (WCAG 2.1.1)
        tabIndex={0}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] outline-offset-[-2px]"
      >
        <div ref={content} className="flex min-h-full flex-col pr-5 mid:px-6">
          <div className="column flex grow flex-col">
            <div ref={head} className={rows.length === 0 ? 'my-auto' : ''}>
              {rows.length === 0 ? empty : null}
              {earlier === 'none' ? (
                <Origin />
              ) : (
                <p className="pt-4 pl-(--gutter)">
                  <Button
                    data-hook="load-earlier"
                    tone="quiet"
                    disabled={earlier === 'loading'}
                    onClick={() => void store.loadEarlier()}
                  >
                    {earlier === 'loading' ? 'Loading earlier messages…' : 'Load earlier messages'}
                  </Button>
                </p>
              )}
            </div>
            <div className="unrendered" style={{ height: items?.[0]?.start ?? 0 }} />
            {rows.length === 0 ? null : (
              <ul>
                {indices.map(index => {
                  const row = rows[index]
                  if (row === undefined) return null
                  return (
                    <li
                      key={row.key}
                      ref={many ? virtual.measureElement : undefined}
                      data-index={index}
                      aria-setsize={earlier === 'none' ? rows.length : -1}
                      aria-posinset={index + 1}
                    >
                      <RowView
                        row={row}
                        first={index === 0 && earlier === 'none'}
                        last={index === rows.length - 1 && !running && !waits}
                        before={row.kind === 'person' ? authorBefore(rows, index) : undefined}
                        space={index === 0 && earlier === 'none' ? 24 : spaceAbove(row, rows[index - 1])}
                        expanded={expanded[row.key]}
                        showTime={showsTime(row, rows[index - 1], now)}
                        onToggle={onToggle}
                      />
                    </li>
                  )
                })}
              </ul>
            )}
            <div
              className="unrendered"
              style={{ height: items === undefined ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0) }}
            />
            {running ? <RailEnd quiet={newest !== undefined && nodeOf(newest, true) === 'running'} /> : null}
            {/* After a short transcript, the rail leads to the ring of the dock. */}
            <div className={`relative min-h-8 ${rows.length === 0 ? '' : 'grow'}`}>
              {waits ? <RailLine className="inset-y-0 left-(--rail-x)" /> : null}
            </div>
          </div>
        </div>
      </section>
      {rows.length < fewestRows ? null : navigator}
      {end.fresh === 0 && !end.away ? null : (
        <Button
          data-hook="to-latest"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-raised shadow-overlay"
          onClick={end.toEnd}
        >
          <DownIcon /> {end.fresh === 0 ? 'Latest' : `${end.fresh} new`}
        </Button>
      )}
    </div>
  )
}

/** Returns who wrote the last user's message above a row. A reminder has its own look, so it is not one. */
function authorBefore(rows: readonly Row[], index: number): string | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const row = rows[at]
    const sentBy = row?.kind === 'person' ? row.message.metadata?.sentBy : alarmSender
    if (sentBy !== alarmSender) return sentBy
  }
  return undefined
}

/** Returns true if the row's time differs from the time of the row before. Repeated times are not shown. */
function showsTime(row: Row, before: Row | undefined, now: number | undefined): boolean {
  if (row.at === undefined || now === undefined) return false
  // Most rows are in the same minute as the row before, and formatting times is slow.
  if (row.at.slice(0, minute) === before?.at?.slice(0, minute)) return false
  return before?.at === undefined || clockOrDay(row.at, now) !== clockOrDay(before.at, now)
}

/** The length of an ISO time up to its minute. */
const minute = '2026-01-01T00:00'.length
