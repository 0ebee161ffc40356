import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef } from 'react'
import { useWide } from '#components/browser/use-media.ts'
import { useMark } from '#components/session/store/row-highlight.ts'
import { axesOf } from './trace-axis.ts'
import type { Line } from './trace-lines.ts'
import { TraceRow } from './trace-row.tsx'

type TraceTreeProps = {
  lines: readonly Line[]
  /** The width of the axis, in px. */
  room: number
  now: number
  /** Shows tokens and costs. */
  figures: boolean
  /** The row that the keys act on, and the row that the detail view shows. */
  active: string | undefined
  selected: string | undefined
  onActive: (id: string) => void
  onOpen: (id: string) => void
  onFold: (id: string, open: boolean) => void
}

/** The rows of the trace as a tree. Only the visible ones are rendered. */
export function TraceTree({
  lines,
  room,
  now,
  figures,
  active,
  selected,
  onActive,
  onOpen,
  onFold
}: TraceTreeProps) {
  const mark = useMark()
  const scroller = useRef<HTMLDivElement>(null)
  const idOf = `${useId()}row`
  const rowHeight = useWide() ? 28 : 44
  const current = lines.findIndex(({ node }) => node.id === active)
  const index = current < 0 ? lines.length - 1 : current
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    useFlushSync: false
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again
  useEffect(() => virtual.measure(), [rowHeight])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to another active row, and when details open below
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [active, lines.length === 0, virtual.scrollRect?.height])
  const axes = useMemo(() => {
    const turns = lines.flatMap(({ node, level }) => (level === 1 ? node : []))
    return axesOf(turns, { now, room })
  }, [lines, now, room])
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[index]
    if (line === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const to = (at: number) => {
      const next = lines[Math.min(lines.length - 1, Math.max(0, at))]
      if (next !== undefined) onActive(next.node.id)
    }
    const { open, node, parent } = line
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const keys: Record<string, () => void> = {
      ArrowDown: () => to(index + 1),
      ArrowUp: () => to(index - 1),
      PageDown: () => to(index + page),
      PageUp: () => to(index - page),
      Home: () => to(0),
      End: () => to(lines.length - 1),
      ArrowRight: () => (open === false ? onFold(node.id, true) : open && to(index + 1)),
      ArrowLeft: () => (open ? onFold(node.id, false) : parent && onActive(parent)),
      Enter: () => onOpen(node.id),
      ' ': () => onOpen(node.id)
    }
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  return (
    <div
      ref={scroller}
      role="tree"
      tabIndex={0}
      aria-label="Trace"
      data-hook="trace"
      aria-activedescendant={lines[index] === undefined ? undefined : `${idOf}${index}`}
      onKeyDown={onKeyDown}
      onFocus={() => lines[index] && mark.set({ row: lines[index].node.row, from: 'bar' })}
      onBlur={() => mark.set(undefined)}
      className="group/tree min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index: at, start }) => {
          const line = lines[at]
          const axis = line && axes.get(line.turn.id)
          if (line === undefined || axis === undefined) return null
          const { id } = line.node
          return (
            <TraceRow
              key={id}
              line={line}
              id={`${idOf}${at}`}
              axis={axis}
              now={now}
              figures={figures}
              active={at === index}
              selected={id === selected}
              height={rowHeight}
              top={start}
              onOpen={() => onOpen(id)}
              onFold={() => onFold(id, line.open !== true)}
            />
          )
        })}
      </div>
    </div>
  )
}
