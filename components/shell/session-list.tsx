import { useVirtualizer } from '@tanstack/react-virtual'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useNow } from '#components/browser/use-now.ts'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { arranged, waitsForMe } from '#components/workspace/listed.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { SessionRow } from './session-row.tsx'

/** A heading of the list, or the link to the sessions that wait for the user and are not pinned. */
type Line = ListedSession | { heading: string } | { more: number }

/** The parts of the list below those that wait. Until the user's time is known, the newest session is of today. */
function linesOf({ pinned, hidden, rest }: ReturnType<typeof arranged>, now: number | undefined): Line[] {
  const newest = rest[0]?.activeAt ?? ''
  const isToday = ({ activeAt }: ListedSession) =>
    now === undefined
      ? activeAt.slice(0, 10) === newest.slice(0, 10)
      : new Date(activeAt).toDateString() === new Date(now).toDateString()
  const group = (heading: string, lines: readonly Line[]) =>
    lines.length === 0 ? [] : [{ heading }, ...lines]
  return [
    ...group('Waiting', [...pinned, ...(hidden > 0 ? [{ more: hidden }] : [])]),
    ...group('Today', rest.filter(isToday)),
    ...group(
      'Earlier',
      rest.filter(row => !isToday(row))
    )
  ]
}

const keyOf = (line: Line | undefined) =>
  line === undefined ? '' : 'heading' in line ? `group ${line.heading}` : 'more' in line ? 'n more' : line.id

/** The list of sessions. Only rows near the visible area are rendered. */
export function SessionList() {
  const { rows, filter, query, next, loading } = useList()
  const store = useListStore()
  const { me } = useWorkspace()
  const current = usePathname().replace('/sessions/', '')
  const box = useRef<HTMLDivElement>(null)

  const lines = linesOf(arranged(rows, filter, me), useNow())
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: index => ('id' in (lines[index] ?? {}) ? 48 : 32),
    getItemKey: index => keyOf(lines[index]),
    overscan: 8,
    initialRect: { width: 264, height: 800 }
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (next !== undefined && last >= lines.length - 10) void store.more()
  }, [next, last, lines.length, store])

  if (lines.length === 0)
    return <p className="flex-1 px-4 py-4 text-muted">{loading ? 'Loading…' : emptyWords(filter, query)}</p>

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto scroll-pb-6 mask-b-from-[calc(100%-24px)] pb-6">
      <ul
        aria-label="Sessions"
        data-hook="sessions"
        aria-busy={loading}
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, key, start }) => {
          const line = lines[index]
          return line === undefined ? null : (
            <li
              key={key}
              aria-setsize={next === undefined ? lines.length : -1}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {'heading' in line ? (
                <p className="flex h-8 items-end px-4 pb-1 text-mono text-muted">{line.heading}</p>
              ) : 'more' in line ? (
                <Link
                  href="/waiting"
                  className="flex h-8 items-center pr-4 pl-[42px] text-muted no-underline hover:text-ink"
                >
                  {line.more} more
                </Link>
              ) : (
                <SessionRow
                  session={line}
                  current={line.id === current}
                  mayAnswer={me.mayAnswer}
                  mine={me.mayAnswer && waitsForMe(line, me)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function emptyWords(filter: string, query: string): string {
  if (query.trim() !== '') return `No session matches “${query.trim()}”.`
  if (filter === 'you') return 'Nothing is waiting for you.'
  if (filter === 'failed') return 'No failed sessions.'
  return 'No sessions yet.'
}
