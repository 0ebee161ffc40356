import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import { useWide } from '#components/browser/use-media.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useWidthOf } from '#components/browser/use-width-of.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import type { SessionLocation } from '#components/session/wording/session-path.ts'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { TraceDetail } from './trace-detail.tsx'
import { type Folds, linesOf, matcherOf, unfoldedTo } from './trace-lines.ts'
import { type TraceNode, withDescendants } from './trace-node.ts'
import { TraceTree } from './trace-tree.tsx'
import { useTrace } from './use-trace.ts'

/** From this width on, in px, the details are beside the tree. */
const besideFrom = 760

type TraceProps = {
  location: SessionLocation
  /** The trace has the width of the session. */
  full: boolean
  /** Shown at the end of the toolbar. */
  end?: ReactNode
}

/**
 * The activity of a session as a tree: turns, their steps and calls, and how long each took. A row opens its details. The URL
 * names the open row by its call, its out-of-band message or its first event.
 */
export function Trace({ location, full, end }: TraceProps) {
  const { store, go } = useSessionContext()
  const { seq } = location
  const { turns, eventsOf, problem, earlier } = useTrace(seq)
  const running = useSessionState(state => state.transcript.status === 'running')
  const now = useNow(running ? 1000 : 15_000)
  const [folds, setFolds] = useState<Folds>({})
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState<string>()
  const [selected, setSelected] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLSpanElement>(null)
  const width = useWidthOf(box)
  const room = useWidthOf(head)

  const nodes = useMemo(() => new Map(turns.flatMap(withDescendants).map(node => [node.id, node])), [turns])
  const lines = useMemo(
    () => linesOf(turns, folds, matcherOf(filter, eventsOf)),
    [turns, folds, filter, eventsOf]
  )
  const named = namedBy(location, nodes, eventsOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place in the URL changes the selection
  useEffect(() => {
    if (named === undefined) return
    setSelected(named)
    setActive(named)
    setFolds(folds => unfoldedTo(named, turns, folds))
  }, [named, seq, location.call, location.oob])
  const node = selected === undefined ? undefined : nodes.get(selected)
  const wide = full ? { wide: true as const } : {}
  const open = (id: string) => {
    const first = eventsOf.get(id)?.[0]?.seq
    const opened = nodes.get(id)
    setActive(id)
    setSelected(id)
    if (opened === undefined) return
    const place =
      opened.kind === 'call'
        ? { call: opened.id }
        : opened.kind === 'oob'
          ? { oob: opened.id }
          : first === undefined
            ? {}
            : { seq: first }
    go({ inspect: 'trace', ...place, ...wide })
  }
  const move = (id: string) => {
    setActive(id)
    if (selected !== undefined) setSelected(id)
  }
  const close = () => {
    setSelected(undefined)
    go({ inspect: 'trace', ...wide })
    box.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || node === undefined || event.defaultPrevented) return
    // The session's own Escape closes the inspector.
    event.preventDefault()
    close()
  }
  const isWide = useWide()
  const covers = !isWide || full
  // In the side panel, the details have them.
  const figures = isWide && full
  const costs = figures && turns.some(({ usd }) => usd !== undefined)
  const beside = width >= besideFrom
  const columns = [
    // On a phone, the timeline is below the name.
    ...(isWide ? [full ? 'minmax(0,1fr)' : 'minmax(0,1.25fr)'] : []),
    'minmax(0,1fr)',
    '64px',
    ...(figures ? ['52px'] : []),
    ...(costs ? ['60px'] : [])
  ].join(' ')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works anywhere in the tab
    <div
      ref={box}
      onKeyDown={onKeyDown}
      className={`flex h-full min-h-0 ${beside ? '' : 'flex-col'}`}
      style={{ '--trace-columns': columns } as CSSProperties}
    >
      <div className="flex min-h-0 min-w-0 flex-1 basis-0 flex-col">
        <div className="flex min-h-12 shrink-0 items-center justify-between gap-3 px-4 py-1">
          <Input
            type="search"
            aria-label="Filter the trace"
            data-hook="trace-filter"
            placeholder="Filter by name, ID or text"
            value={filter}
            onChange={event => setFilter(event.target.value)}
            className="min-w-0 max-w-80 flex-1 text-ui"
          />
          {earlier === 'none' ? null : (
            <Button
              data-hook="earlier-trace"
              tone="quiet"
              disabled={earlier === 'loading'}
              onClick={() => void store.loadEarlier()}
            >
              Load earlier
            </Button>
          )}
          <Button
            data-hook={full ? 'narrow-trace' : 'widen-trace'}
            tone="quiet"
            aria-keyshortcuts="t"
            className="ml-auto max-mid:hidden"
            onClick={() => {
              const { prompt: _, wide: __, ...place } = location
              go({ ...place, inspect: 'trace', ...(full ? {} : { wide: true }) })
            }}
          >
            {full ? 'Side panel' : 'Full width'}
          </Button>
          {end}
        </div>
        {problem === undefined ? null : (
          <p className="px-4 pb-2 text-fail">Couldn't load the log. {problem}</p>
        )}
        <div
          aria-hidden="true"
          className="grid shrink-0 grid-cols-(--trace-columns) gap-x-2 border-b px-4 pb-1 text-right text-muted"
        >
          <span className="text-left">Step</span>
          <span ref={head} className="truncate text-left max-mid:col-span-2 max-mid:row-start-2 max-mid:h-0">
            Timeline
          </span>
          <span>Time</span>
          {figures ? <span>Tokens</span> : null}
          {costs ? <span>Cost</span> : null}
        </div>
        {lines.length === 0 ? (
          <p data-hook="no-trace" className="px-4 py-3 text-muted">
            {turns.length === 0 ? 'No activity yet. Each turn appears here.' : 'No matching rows.'}
          </p>
        ) : now === undefined || room === 0 ? null : (
          <TraceTree
            lines={lines}
            room={room}
            now={now}
            figures={figures}
            active={active}
            selected={selected}
            onActive={move}
            onOpen={open}
            onFold={(id, isOpen) => setFolds(before => ({ ...before, [id]: isOpen }))}
          />
        )}
      </div>
      {node === undefined || now === undefined ? null : (
        <div
          className={`min-h-0 ${beside ? 'w-[min(440px,45%)] shrink-0 border-l' : 'h-1/2 shrink-0 border-t'}`}
        >
          <TraceDetail
            node={node}
            events={eventsOf.get(node.id) ?? []}
            seq={seq}
            now={now}
            covers={covers}
            close={close}
          />
        </div>
      )}
    </div>
  )
}

/** Returns the ID of the row that the URL names. */
function namedBy(
  { call, oob, seq }: SessionLocation,
  nodes: ReadonlyMap<string, TraceNode>,
  eventsOf: ReturnType<typeof useTrace>['eventsOf']
): string | undefined {
  const id = call ?? oob
  if (id !== undefined) return nodes.has(id) ? id : undefined
  if (seq === undefined) return undefined
  for (const [id, events] of eventsOf) if (events.some(event => event.seq === seq)) return id
  return undefined
}
