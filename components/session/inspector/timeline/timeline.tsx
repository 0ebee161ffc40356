import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { clock, exact } from '#components/browser/format-time.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useWide } from '#components/browser/use-media.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useWidthOf } from '#components/browser/use-width-of.ts'
import { useMark, useRowHighlight } from '#components/session/store/row-highlight.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useLog } from '#components/session/store/use-log.ts'
import { Button } from '#components/ui/button.tsx'
import { barWords } from './bar-words.ts'
import { messageOfBar, promptOfBar } from './prompt-of-bar.ts'
import { TimelineBar } from './timeline-bar.tsx'
import { barsOf } from './timeline-bars.ts'
import { TimelineBreak } from './timeline-break.tsx'
import { layOut, type PlacedBar } from './timeline-layout.ts'

/** The width of the column with the names of the lanes, and of the space after it, in px. */
const gutter = 96
/** The space after the last bar, for the label of its time, in px. */
const tail = 56
/** The height of one level of a lane, in px. */
const levelHeight = 20

/**
 * Shows how long steps, tools, plugins and waits took, with a lane for each. Activity is to scale, and a
 * pause is a break with its length. A bar with the pointer or the focus marks its row, and a click goes to
 * the row.
 */
export function Timeline({ full }: { full: boolean }) {
  const { store, go } = useSessionContext()
  const mark = useMark()
  const transcript = useSessionState(state => state.transcript)
  const earlier = useSessionState(state => state.earlier)
  const { events } = useLog()
  const now = useNow(transcript.status === 'running' ? 1000 : 15_000)
  const covers = !useWide()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidthOf(box)
  const [chosen, setChosen] = useState<string>()
  const marked = useRowHighlight(mark => mark?.row)

  const bars = useMemo(() => barsOf(transcript, events), [transcript, events])
  const layout = useMemo(
    () => layOut(bars, { now: now ?? 0, room: Math.max(0, width - gutter - tail) }),
    [bars, now, width]
  )
  const ready = width > 0 && now !== undefined
  const placed = layout.lanes.flatMap(lane => lane.bars)
  const picked = placed.find(bar => bar.id === chosen)
  const current = picked ?? placed.at(-1)
  const told = picked?.row === marked ? picked : placed.find(bar => bar.row === marked)

  const atEnd = useRef(true)
  useLayoutEffect(() => {
    if (box.current && ready && atEnd.current && layout.width > 0)
      box.current.scrollLeft = box.current.scrollWidth
  }, [layout.width, ready])

  const show = (bar: PlacedBar) => {
    setChosen(bar.id)
    if (covers) go({})
    mark.reveal(bar.row)
  }
  const messageId = picked && messageOfBar(picked)
  const showPrompt = async (bar: PlacedBar) => {
    const query = { limit: 200, messageId }
    const reply = await replyTo(store.client.call('listPrompts', { path: store.path, query }))
    const prompt = reply.ok ? promptOfBar(bar, placed, reply.body.prompts) : undefined
    go({ inspect: 'prompt', ...(prompt === undefined ? {} : { prompt }) })
  }
  const point = (bar: PlacedBar) => {
    setChosen(bar.id)
    mark.set({ row: bar.row, from: 'bar' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = current && stepTo(event.key, current, placed)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next.id)
    box.current?.querySelector<HTMLElement>(`[data-bar="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex min-h-9 shrink-0 items-center gap-3 px-4 py-1">
        <p data-hook="bar-facts" className="min-w-0 flex-1 truncate text-muted" aria-hidden="true">
          {told === undefined || now === undefined ? hint(placed.length) : barWords(told, now)}
        </p>
        {picked === undefined || messageId === undefined ? null : (
          <Button data-hook="show-prompt" tone="quiet" onClick={() => void showPrompt(picked)}>
            Show prompt
          </Button>
        )}
        {earlier === 'none' ? null : (
          <Button tone="quiet" disabled={earlier === 'loading'} onClick={() => void store.loadEarlier()}>
            Load earlier
          </Button>
        )}
        <Button
          data-hook={full ? 'narrow-timeline' : 'widen-timeline'}
          tone="quiet"
          aria-keyshortcuts="t"
          onClick={() => go({ inspect: 'timeline', ...(full ? {} : { wide: true }) })}
        >
          {full ? 'Side panel' : 'Full width'}
        </Button>
      </div>
      <div
        ref={box}
        onScroll={({ currentTarget: { scrollLeft, scrollWidth, clientWidth } }) => {
          atEnd.current = scrollLeft + clientWidth >= scrollWidth - 8
        }}
        className="min-h-0 flex-1 overflow-auto pb-3"
      >
        {!ready || placed.length === 0 ? null : (
          <fieldset
            aria-label="Timeline bars. Arrow keys move between bars, Enter shows the row."
            onKeyDown={onKeyDown}
            className="relative mb-5"
            style={{ width: gutter + layout.width + tail }}
          >
            <div className="relative h-6" aria-hidden="true">
              <span className="sticky left-0 z-10 block h-full bg-panel" style={{ width: gutter }} />
              {layout.ticks.map(({ x, at, now: isNow }, index) => (
                <span
                  key={at}
                  className="absolute top-0 border-l border-l-rail pl-1 font-mono text-mono whitespace-nowrap text-muted"
                  style={{ left: gutter + x }}
                >
                  {isNow ? 'now' : tickWords(at, layout.ticks[index - 1]?.at, now)}
                </span>
              ))}
            </div>
            {layout.breaks.map(gap => (
              <TimelineBreak key={gap.x} gap={gap} left={gutter + gap.x} />
            ))}
            {layout.lanes.map(({ lane, levels, bars }) => (
              <fieldset
                key={lane}
                aria-label={lane}
                className="relative border-t"
                style={{ height: levels * levelHeight + 8 }}
              >
                <span
                  aria-hidden="true"
                  className="sticky left-0 z-10 inline-block h-full bg-panel pt-1 pl-4 text-muted"
                  style={{ width: gutter }}
                >
                  {lane}
                </span>
                {bars.map(bar => (
                  <TimelineBar
                    key={bar.id}
                    bar={bar}
                    words={barWords(bar, now)}
                    left={gutter + bar.x}
                    top={4 + bar.level * levelHeight}
                    current={bar === current}
                    onPoint={() => point(bar)}
                    onLeave={() => mark.set(undefined)}
                    onShow={() => show(bar)}
                  />
                ))}
              </fieldset>
            ))}
          </fieldset>
        )}
      </div>
    </div>
  )
}

/** Returns the time of a tick in minutes, or with seconds if the tick before it has the same minute. */
function tickWords(at: number, before: number | undefined, now: number): string {
  const words = (ms: number) => clock(new Date(ms).toISOString(), now)
  return before !== undefined && words(before) === words(at) ? exact(new Date(at).toISOString()) : words(at)
}

const hint = (count: number) => (count === 0 ? 'No activity yet.' : 'To scale. Long pauses are collapsed.')

/**
 * Returns the bar that a key moves to. Left and right go through the bars of all lanes in order of time, Home
 * and End to the first and last. Up and down go to the nearest bar of the next lane.
 */
function stepTo(key: string, from: PlacedBar, bars: readonly PlacedBar[]): PlacedBar | undefined {
  const byTime = bars.toSorted((a, b) => a.start - b.start || a.x - b.x)
  const at = byTime.indexOf(from)
  const lanes = [...new Set(bars.map(bar => bar.lane))]
  const nearest = (by: 1 | -1) => {
    const lane = lanes[lanes.indexOf(from.lane) + by]
    return bars
      .filter(bar => bar.lane === lane)
      .toSorted((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))[0]
  }
  return {
    ArrowLeft: byTime[at - 1],
    ArrowRight: byTime[at + 1],
    ArrowUp: nearest(-1),
    ArrowDown: nearest(1),
    Home: byTime[0],
    End: byTime.at(-1)
  }[key]
}
