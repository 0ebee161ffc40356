'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { arranged, waitsForMe } from '#components/workspace/listed.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { SessionRow } from './session-row.tsx'

type Line = { kind: 'row'; session: ListedSession } | { kind: 'more'; count: number }

const heightOf = (line: Line | undefined) => (line?.kind === 'more' ? 32 : 56)

/** The list of sessions. Only rows near the visible area are rendered. */
export function SessionList() {
  const { rows, filter, query, next, loading } = useList()
  const store = useListStore()
  const { agents, me } = useWorkspace()
  const current = usePathname().replace('/sessions/', '')
  const box = useRef<HTMLDivElement>(null)

  const { pinned, hidden, rest } = arranged(rows, filter, me)
  const lines: Line[] = [
    ...pinned.map(session => ({ kind: 'row' as const, session })),
    ...(hidden > 0 ? [{ kind: 'more' as const, count: hidden }] : []),
    ...rest.map(session => ({ kind: 'row' as const, session }))
  ]
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: index => heightOf(lines[index]),
    getItemKey: index => keyOf(lines[index], index),
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

  const names = new Map(agents.map(agent => [agent.agentId, agent.displayName]))
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
              {line.kind === 'more' ? (
                <Link href="/waiting" className="flex h-8 items-center pr-4 pl-9 text-muted">
                  {line.count} more
                </Link>
              ) : (
                <SessionRow
                  session={line.session}
                  agentName={names.get(line.session.agentId) ?? line.session.agentId}
                  current={line.session.id === current}
                  mayAnswer={me.mayAnswer}
                  mine={me.mayAnswer && waitsForMe(line.session, me)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const keyOf = (line: Line | undefined, index: number) =>
  line?.kind === 'row' ? line.session.id : `more-${index}`

function emptyWords(filter: string, query: string): string {
  if (query.trim() !== '') return `No session matches “${query.trim()}”.`
  if (filter === 'you') return 'Nothing is waiting for you.'
  if (filter === 'failed') return 'No failed sessions.'
  return 'No sessions yet.'
}
