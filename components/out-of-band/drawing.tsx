import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { clsx } from 'clsx'
import { type Arc, arrange } from './arrange.ts'

/**
 * Height of a row, maximum distance of an arc's end from the middle of its row, and maximum width of an arc,
 * in px.
 */
const line = 28
const spread = 8
const widest = 132
const axis = 10
const mostNames = 14

/**
 * Draws the list as a diagram: names below each other, and arcs that point to the receivers. Arcs with more
 * messages are thicker. Nothing is drawn for fewer than three names.
 */
export function Drawing({ edges, marked }: { edges: readonly OobEdge[]; marked: string | undefined }) {
  const { nodes, arcs, left } = arrange(edges, mostNames)
  if (nodes.length < 3) return null
  return (
    <figure className="w-fit max-w-full self-start wide:w-[336px]">
      <div
        role="img"
        data-hook="told-drawing"
        aria-label={`Diagram of the list: ${arcs.length} arrows between ${nodes.length} names.`}
        className="grid grid-cols-[minmax(0,auto)_152px] justify-start"
      >
        <div className="min-w-0 text-right">
          {nodes.map(({ id, words, isSession }) => (
            <p
              key={id}
              className={clsx('truncate pr-1', isSession ? 'text-ink' : 'text-muted')}
              style={{ lineHeight: `${line}px`, height: line }}
            >
              {words}
            </p>
          ))}
        </div>
        <svg
          width={152}
          height={nodes.length * line}
          viewBox={`0 0 152 ${nodes.length * line}`}
          fill="none"
          aria-hidden="true"
        >
          {nodes.map(({ id, isSession }, index) =>
            isSession ? (
              <circle key={id} cx={axis} cy={middle(index)} r={4} className="fill-ink" />
            ) : (
              <path key={id} d={`M4 ${middle(index)}h12`} strokeWidth={2} className="stroke-muted" />
            )
          )}
          {arcs.map(arc => (
            <g
              key={arc.id}
              data-arc={arc.id}
              data-marked={marked === arc.id || undefined}
              className={
                marked === arc.id ? 'text-ink' : marked === undefined ? 'text-rail' : 'text-rail opacity-50'
              }
            >
              <path d={pathOf(arc)} stroke="currentColor" strokeWidth={thickness(arc.count)} />
              <path d={`m${axis + 8} ${endOf(arc)} 7 -4.5 0 9 z`} fill="currentColor" />
            </g>
          ))}
        </svg>
      </div>
      {left > 0 ? (
        <figcaption className="mt-2 text-muted">
          Showing the {nodes.length} busiest of {nodes.length + left}.
        </figcaption>
      ) : null}
    </figure>
  )
}

const middle = (place: number) => place * line + line / 2
const endOf = ({ to, end }: Arc) => middle(to) + end * spread
const startOf = ({ from, start }: Arc) => middle(from) + start * spread
const thickness = (count: number) => Math.min(4, 1 + Math.log2(count) / 2)

/**
 * Returns the path of an arc, which bends to the right. Longer arcs bend further. Arcs that point up bend
 * further than those that point down, so that opposite arcs stay apart.
 */
function pathOf(arc: Arc): string {
  const far = Math.abs(arc.to - arc.from)
  const bow = axis + Math.min(widest, 24 + far * 16 + (arc.to < arc.from ? 10 : 0))
  const [start, end] = [startOf(arc), endOf(arc)]
  return `M${axis + 8} ${start}C${bow} ${start} ${bow} ${end} ${axis + 14} ${end}`
}
