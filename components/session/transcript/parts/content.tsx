import type { FunctionComponent } from 'react'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { CompactionRow } from './compaction.tsx'
import { FileRow } from './file.tsx'
import { NoticeRow } from './notice.tsx'
import { OutOfBandRow } from './out-of-band.tsx'
import { PendingRow } from './pending.tsx'
import { PersonRow } from './person.tsx'
import { ProseRow } from './prose.tsx'
import { ReasoningRow } from './reasoning.tsx'
import type { RowProps } from './row-props.ts'
import { SentRow, WorkingRow } from './sent.tsx'
import { HandOffRow, HookRow, RevisionRow, SourceRow, WaitRow } from './sentences.tsx'
import { ToolRow } from './tool.tsx'

const parts: { [Kind in Row['kind']]: FunctionComponent<RowProps<Kind>> } = {
  person: PersonRow,
  pending: PendingRow,
  prose: ProseRow,
  reasoning: ReasoningRow,
  tool: ToolRow,
  wait: WaitRow,
  notice: NoticeRow,
  revision: RevisionRow,
  hook: HookRow,
  handoff: HandOffRow,
  compaction: CompactionRow,
  oob: OutOfBandRow,
  working: WorkingRow,
  sent: SentRow,
  file: FileRow,
  source: SourceRow
}

/** The content of a row, by its kind. To add a kind, add a component to this folder and an entry to `parts`. */
export function Content<Kind extends Row['kind']>(props: RowProps<Kind>) {
  const Part = parts[props.row.kind as Kind] as FunctionComponent<RowProps<Kind>>
  return <Part {...props} />
}
