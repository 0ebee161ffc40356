import { clsx } from 'clsx'
import { left, length } from '#components/browser/format-time.ts'
import { type Axis, barOn, breakWidth, extentOn } from './trace-axis.ts'
import type { Span, TraceNode } from './trace-node.ts'

/**
 * The shapes of bars. A model call is filled, a tool is flat, and a plugin is flat and dark. A wait is outlined, and
 * dashed for an external system.
 */
const forms: Record<Span['tone'], string> = {
  model: 'h-2.5 bg-ink',
  tool: 'h-2.5 bg-rail',
  hook: 'h-1 rounded-full bg-ink',
  you: 'h-2.5 border-2 border-r-0 border-you',
  other: 'h-2.5 border-2 border-r-0 border-dashed border-other',
  settled: 'h-2.5 border border-rail',
  failed: 'h-2.5 border-2 border-fail'
}

type TraceBarsProps = { node: TraceNode; axis: Axis; now: number; level: number }

/** The activity of a row on the axis of its turn. A thin line shows the extent of what the row contains. */
export function TraceBars({ node, axis, now, level }: TraceBarsProps) {
  const { span, children } = node
  return (
    <span aria-hidden="true" className="relative block h-full max-mid:col-span-2 max-mid:row-start-2">
      {axis.breaks.map(({ x, width, ms }) => (
        <span
          key={x}
          data-break={level === 1 || undefined}
          title={`A pause of ${length(ms)}`}
          className="absolute inset-y-0 border-x border-dashed border-x-rail/50"
          style={{ left: x, width }}
        />
      ))}
      {children.length === 0 ? null : <Bar form="h-px bg-rail" {...extentOn(axis, node, now)} />}
      {span === undefined ? null : (
        <Bar
          id={node.id}
          form={forms[span.tone]}
          {...barOn(axis, { start: span.start, end: span.end ?? Math.max(now, span.start) })}
        />
      )}
      {level > 1
        ? null
        : axis.breaks.map(({ x, width, ms }) =>
            width < breakWidth ? null : (
              <span
                key={x}
                className="absolute inset-y-0 flex items-center justify-center"
                style={{ left: x, width }}
              >
                <span className="bg-panel px-0.5 font-mono text-mono font-normal whitespace-nowrap text-muted">
                  {left(new Date(ms).toISOString(), 0)}
                </span>
              </span>
            )
          )}
    </span>
  )
}

function Bar({ id, form, x, width }: { id?: string; form: string; x: number; width: number }) {
  return (
    <span
      data-bar={id}
      className={clsx('absolute top-1/2 -translate-y-1/2 rounded-[1px]', form)}
      style={{ left: x, width }}
    />
  )
}
