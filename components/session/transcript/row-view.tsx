import { memo } from 'react'
import { useMark, useRowHighlight } from '#components/session/store/row-highlight.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Content } from '#components/session/transcript/parts/content.tsx'
import type { RowProps } from '#components/session/transcript/parts/row-props.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { nodeOf } from './node-of.ts'
import { Rail } from './rail.tsx'
import { RowTime } from './row-time.tsx'
import { TurnActions } from './turn-actions.tsx'

type RowViewProps = RowProps<Row['kind']> & {
  first: boolean
  /** The space above the row, in px. */
  space: number
  /** The rail ends at this row's node, because no row follows and the agent is not working. */
  last: boolean
  showTime: boolean
}

/**
 * The middle of a row's first line, measured from the row's padding. It depends on the font size. Default:
 * 10px.
 */
const middle = {
  person: '19px',
  pending: '19px',
  prose: '13px',
  tool: 'var(--tool-middle)',
  reasoning: 'var(--tool-middle)',
  compaction: 'var(--tool-middle)',
  oob: '19px'
}

/** A row of the transcript: its time and node in the gutter, and its content next to the rail. */
export const RowView = memo(function RowView({ first, last, space, showTime, ...content }: RowViewProps) {
  const { row } = content
  const { may, me } = useSessionContext()
  const mark = useMark()
  const marked = useRowHighlight(mark => mark?.from === 'bar' && mark.row === row.key)
  const call = row.kind === 'tool' ? row.call : undefined
  const node = nodeOf(row, may.answer && (call === undefined || whyNotAnswerable(call, me) === undefined))
  // A message that is being sent looks like the row that it becomes.
  const kind = row.kind === 'pending' && row.send.tell !== undefined ? 'oob' : row.kind
  const at = `calc(${space}px + ${middle[kind as keyof typeof middle] ?? '10px'})`
  return (
    <div
      data-row={row.key}
      data-marked={marked || undefined}
      // The keys `j` and `k` and the rows of the trace move the focus to rows.
      tabIndex={-1}
      onPointerEnter={() => mark.set({ row: row.key, from: 'row' })}
      onPointerLeave={() => mark.set(undefined)}
      className="group/row relative pl-(--gutter) outline-offset-[-2px] data-marked:outline-2 data-marked:outline-rail"
      style={{ paddingTop: space }}
    >
      <Rail node={node} at={at} first={first} last={last && node !== 'none'} cut={row.kind === 'wait'} />
      <RowTime row={row} space={space} at={at} shown={showTime} />
      <div
        data-hook={row.over ? 'row-not-sent' : undefined}
        className={row.over ? 'min-w-0 text-muted' : 'min-w-0'}
        title={row.over ? 'No longer sent to the model' : undefined}
      >
        <Content {...content} />
      </div>
      {row.kind === 'person' ? <TurnActions row={row.key} message={row.message} /> : null}
      {row.ends === undefined ? null : <TurnActions row={row.key} message={row.ends} />}
    </div>
  )
})
