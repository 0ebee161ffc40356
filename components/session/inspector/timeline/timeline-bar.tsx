import { clsx } from 'clsx'
import { useRowHighlight } from '#components/session/store/row-highlight.ts'
import type { PlacedBar } from './timeline-layout.ts'

/**
 * The shapes and colors of bars. A model call is filled, a tool is flat, a plugin is flat and dark, and a
 * wait is outlined. A wait for an external system is dashed.
 */
const forms: Record<PlacedBar['tone'], string> = {
  model: 'h-4 bg-ink',
  tool: 'h-2 bg-rail',
  hook: 'h-2 rounded-full bg-ink',
  failed: 'h-2 border-2 border-fail',
  you: 'h-4 border-2 border-r-0 border-you',
  other: 'h-4 border-2 border-r-0 border-dashed border-other',
  settled: 'h-4 border border-rail'
}

type TimelineBarProps = {
  bar: PlacedBar
  words: string
  left: number
  top: number
  /** Tab reaches only this bar. The arrow keys move to the others. */
  current: boolean
  onPoint: () => void
  onLeave: () => void
  onShow: () => void
}

/** A bar of the timeline. Pointing at a bar marks its row in the transcript, and vice versa. */
export function TimelineBar({ bar, words, left, top, current, onPoint, onLeave, onShow }: TimelineBarProps) {
  const marked = useRowHighlight(mark => mark?.row === bar.row)
  return (
    <button
      type="button"
      data-bar={bar.id}
      data-marked={marked || undefined}
      aria-label={words}
      tabIndex={current ? 0 : -1}
      onPointerEnter={onPoint}
      onPointerLeave={onLeave}
      onFocus={onPoint}
      onBlur={onLeave}
      onClick={onShow}
      className="absolute flex h-5 items-center outline-offset-0"
      style={{ left, top, width: bar.width }}
    >
      <span
        className={clsx(
          'w-full rounded-sm',
          forms[bar.tone],
          marked && 'ring-2 ring-ink ring-offset-1 ring-offset-panel'
        )}
      />
    </button>
  )
}
