import { useVirtualizer } from '@tanstack/react-virtual'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { arranged, waitsForMe } from '#components/workspace/listed.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { SessionRow } from './session-row.tsx'

/** The line for the sessions that wait for the user and are not pinned. No session has this ID. */
const more = 'n more' as const

/** The list of sessions. Only rows near the visible area are rendered. */
export function SessionList() {
  const { rows, filter, query, next, loading } = useList()
  const store = useListStore()
  const { me } = useWorkspace()
  const current = usePathname().replace('/sessions/', '')
  const box = useRef<HTMLDivElement>(null)

  const { pinned, hidden, rest } = arranged(rows, filter, me)
  const lines: (ListedSession | typeof more)[] = [...pinned, ...(hidden > 0 ? [more] : []), ...rest]
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: index => (lines[index] === more ? 32 : 56),
    getItemKey: index => {
      const line = lines[index]
      return typeof line === 'object' ? line.id : more
    },
    overscan: 8,
    initialRect: { width: 264, height: 800 }
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (next !== undefined && last >= lines.length - 10) void store.more()
  }, [next, last, lines.length, store])

  if (lines.length === 0)
    return <p className="px-4 py-4 text-muted">{loading ? 'Loading…' : emptyWords(filter, query)}</p>

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto">
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
              {line === more ? (
                <Link href="/waiting" className="flex h-8 items-center pr-4 pl-9 text-muted">
                  {hidden} more
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
