'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { clockOrDay } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useRowReveal } from '#components/session/store/row-highlight.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { Button } from '#components/ui/button.tsx'
import { DownIcon } from '#components/ui/icons.tsx'
import { nodeOf } from './node-of.ts'
import { heightOf } from './row-size.ts'
import { RowView } from './row-view.tsx'
import { useEarlier } from './use-earlier.ts'
import { useFollowEnd } from './use-follow-end.ts'
import { useHeldPlace } from './use-held-place.ts'
import { useRowKeys } from './use-row-keys.ts'

type TranscriptProps = {
  rows: readonly Row[]
  running: boolean
  earlier: 'more' | 'loading' | 'none'
  onEarlier: () => void
  /** The ID, from the URL, of a call to show and open, or of an out-of-band message to show. */
  target: string | undefined
  /** Rendered above the first row. */
  origin: ReactNode
  /** Rendered when there are no rows. */
  empty: ReactNode
}

/**
 * With at least this many rows, only the visible ones are rendered (001-21). A page has as many messages, so
 * earlier pages are not inserted above a list that is rendered completely.
 */
const manyRows = 50

/** The messages of a session as rows on a rail. The view follows the end only while the reader is there. */
export function Transcript({ rows, running, earlier, onEarlier, target, origin, empty }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<Readonly<Record<string, boolean>>>({})
  const onToggle = useMemo(
    () => (key: string, open: boolean) => setExpanded(before => ({ ...before, [key]: open })),
    []
  )
  const many = rows.length >= manyRows
  const sizes = useSizes(rows)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: sizes.estimate,
    getItemKey: sizes.key,
    overscan: 12,
    enabled: many,
    // Keeps the view in place when rows are inserted above it.
    anchorTo: 'end',
    useFlushSync: false
  })
  sizes.onWidth(virtual.scrollRect?.width)
  const end = useFollowEnd(scroller, content, rows, many)
  useHeldPlace(scroller, head, many ? earlier : '', end.isFollowing)
  const nearTop = useEarlier(scroller, { earlier, onEarlier, isFollowing: end.isFollowing })
  const onScroll = () => {
    end.onScroll()
    nearTop()
  }
  useRowKeys(scroller, rows, index => virtual.scrollToIndex(index, { align: 'auto' }), many)

  const shown = useRef<string | undefined>(undefined)
  const show = useCallback(
    (index: number, focus: boolean) => {
      const row = rows[index]
      if (row === undefined) return
      end.leave()
      if (row.kind === 'tool') onToggle(row.key, true)
      if (many) virtual.scrollToIndex(index, { align: 'center' })
      const element = () =>
        scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`)
      if (!many) element()?.scrollIntoView({ block: 'center' })
      if (focus) requestAnimationFrame(() => element()?.focus({ preventScroll: true }))
    },
    [rows, many, virtual, end, onToggle]
  )
  useLayoutEffect(() => {
    const index = target === undefined ? -1 : rows.findIndex(row => isOf(row, target))
    if (index < 0 || shown.current === target) return
    shown.current = target
    show(index, false)
  }, [target, rows, show])
  useRowReveal(
    useCallback(
      key =>
        show(
          rows.findIndex(row => row.key === key),
          true
        ),
      [rows, show]
    )
  )

  const items = many ? virtual.getVirtualItems() : undefined
  const indices = items?.map(item => item.index) ?? rows.map((_, index) => index)
  const now = useNow()
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        data-hook="transcript"
        aria-label="Transcript"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll box needs keyboard access (WCAG 2.1.1)
        tabIndex={0}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] outline-offset-[-2px]"
      >
        <div ref={content} className="pr-5 pb-6 mid:px-6">
          <div className="column">
            <div ref={head}>
              {rows.length === 0 ? empty : null}
              {earlier === 'none' ? (
                origin
              ) : (
                <p className="pt-4 pl-(--gutter)">
                  <Button
                    data-hook="load-earlier"
                    tone="quiet"
                    disabled={earlier === 'loading'}
                    onClick={onEarlier}
                  >
                    {earlier === 'loading' ? 'Loading earlier messages…' : 'Load earlier messages'}
                  </Button>
                </p>
              )}
            </div>
            <div style={{ height: items?.[0]?.start ?? 0 }} />
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
                        last={index === rows.length - 1 && !running}
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
              style={{ height: items === undefined ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0) }}
            />
            {running ? <RailEnd quiet={isRunning(rows.at(-1))} /> : null}
          </div>
        </div>
      </section>
      {end.fresh === 0 ? null : (
        <Button
          className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-panel shadow-overlay"
          onClick={end.toEnd}
        >
          <DownIcon /> {end.fresh} new
        </Button>
      )}
    </div>
  )
}

/** Returns true if the row shows the call or the out-of-band message with this ID. */
export const isOf = (row: Row, id: string): boolean =>
  (row.kind === 'tool' && row.key === id) || (row.kind === 'oob' && row.told.id === id)

/**
 * Returns the functions that give the virtualizer a row's key and estimated height. They keep their identity,
 * because new functions make it measure every row again.
 */
function useSizes(rows: readonly Row[]) {
  const latest = useRef({ rows, width: usual.width })
  latest.current.rows = rows
  return useMemo(
    () => ({
      estimate: (index: number) => {
        const row = latest.current.rows[index]
        return row === undefined ? usual.height : heightOf(row, latest.current.width)
      },
      key: (index: number) => latest.current.rows[index]?.key ?? index,
      /** The virtualizer reports the width, because it observes the scroll box anyway. */
      onWidth: (width: number | undefined) => {
        if (width) latest.current.width = width
      }
    }),
    []
  )
}
const usual = { width: 900, height: 96 }

/** The end of the rail while the agent works. It pulses, unless a row above it already does (`quiet`). */
function RailEnd({ quiet }: { quiet: boolean }) {
  return (
    <div aria-hidden="true" className="relative h-8">
      <span className="absolute top-0 left-(--rail-x) -ml-px h-4 w-0.5 bg-rail" />
      {quiet ? null : (
        <span className="absolute top-3 left-(--rail-x) -ml-1 size-2 animate-pulse rounded-full bg-ink" />
      )}
    </div>
  )
}

const isRunning = (row: Row | undefined) => row !== undefined && nodeOf(row, true) === 'running'

/** Returns true if the row's time differs from the time of the row before. Repeated times are not shown. */
function showsTime(row: Row, before: Row | undefined, now: number | undefined): boolean {
  if (row.at === undefined || now === undefined) return false
  // Most rows are in the same minute as the row before, and formatting times is slow.
  if (row.at.slice(0, minute) === before?.at?.slice(0, minute)) return false
  return before?.at === undefined || clockOrDay(row.at, now) !== clockOrDay(before.at, now)
}

/** The length of an ISO time up to its minute. */
const minute = '2026-01-01T00:00'.length
