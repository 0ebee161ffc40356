import { clsx } from 'clsx'
import { left, length } from '#components/browser/format-time.ts'
import { useMark, useRowHighlight } from '#components/session/store/row-highlight.ts'
import { count } from '#components/session/wording/context-words.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { ChevronIcon } from '#components/ui/icons.tsx'
import type { Axis } from './trace-axis.ts'
import { TraceBars } from './trace-bars.tsx'
import type { Line } from './trace-lines.ts'
import { extentOf, isLive, type TraceNode } from './trace-node.ts'

type TraceRowProps = {
  line: Line
  id: string
  axis: Axis
  now: number
  figures: boolean
  /** The keys act on this row. */
  active: boolean
  /** The detail view shows this row. */
  selected: boolean
  height: number
  top: number
  onOpen: () => void
  onFold: () => void
}

/** A row of the trace: name, bar, time, tokens and cost. Its row in the transcript is marked under the pointer. */
export function TraceRow({
  line,
  id,
  axis,
  now,
  figures,
  active,
  selected,
  height,
  top,
  onOpen,
  onFold
}: TraceRowProps) {
  const { node, level, position, size, open } = line
  const mark = useMark()
  const marked = useRowHighlight(mark => mark?.row === node.row)
  const time = timeOf(node, now)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys for all its rows
    <div
      role="treeitem"
      // The tree has the focus, and names this row as its active one.
      tabIndex={-1}
      id={id}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={open}
      aria-selected={selected}
      data-trace={node.id}
      data-kind={node.kind}
      data-marked={marked || undefined}
      data-active={active || undefined}
      onPointerEnter={() => mark.set({ row: node.row, from: 'bar' })}
      onPointerLeave={() => mark.set(undefined)}
      onClick={onOpen}
      className={clsx(
        'absolute inset-x-0 grid cursor-default grid-cols-(--trace-columns) gap-x-2 items-center border-l-2 max-mid:grid-rows-[24px_12px] max-mid:content-center pr-4 pl-3.5 outline-offset-[-2px]',
        level === 1 && 'border-t font-semibold',
        selected ? 'border-l-ink bg-ground' : 'border-l-transparent hover:bg-ground data-marked:bg-ground',
        'group-focus-visible/tree:data-active:outline-1 group-focus-visible/tree:data-active:outline-ink'
      )}
      style={{ top, height }}
    >
      <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: (level - 1) * 12 }}>
        {open === undefined ? (
          <span className="w-4 shrink-0" />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys fold the row
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys fold the row
          <span
            data-fold
            className={clsx('reach text-muted', open && 'rotate-90')}
            onClick={event => {
              event.stopPropagation()
              onFold()
            }}
          >
            <ChevronIcon />
          </span>
        )}
        <span className={clsx('max-w-[calc(100%-20px)] shrink-0 truncate', nameLook(node))}>{node.name}</span>
        <CutText text={node.note} className="font-normal text-muted" />
      </span>
      <TraceBars node={node} axis={axis} now={now} level={level} />
      <span className="truncate text-right font-normal tabular-nums text-muted">{time}</span>
      {figures ? (
        <span className="truncate text-right font-normal tabular-nums">
          {node.tokens === undefined ? null : (
            <>
              {count(node.tokens)}
              <span className="sr-only"> tokens</span>
            </>
          )}
        </span>
      ) : null}
      {!figures || node.usd === undefined ? null : (
        <span className="truncate text-right font-normal tabular-nums">{dollars(node.usd)}</span>
      )}
    </div>
  )
}

function nameLook({ kind, span }: TraceNode): string {
  if (span?.tone === 'failed') return 'text-fail'
  if (span?.tone === 'you') return 'text-you'
  if (span?.tone === 'other') return 'text-other'
  return kind === 'call' ? 'font-mono text-mono' : ''
}

/** Returns the duration of a node's own activity, or of everything in it. Empty if there is none. */
export function timeOf(node: TraceNode, now: number): string {
  const { start, end } = node.span === undefined ? extentOf(node, now) : { end: now, ...node.span }
  const ms = Math.max(0, end - start)
  if (ms === 0 && !isLive(node)) return ''
  return ms < 60_000 ? length(ms) : left(new Date(ms).toISOString(), 0)
}

/** Formats a cost in US dollars: "$0.0042", "$1.2500". All costs of a trace have the same precision. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.0001 ? '< $0.0001' : `$${usd.toFixed(4)}`)
