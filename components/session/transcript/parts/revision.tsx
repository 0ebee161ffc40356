import type { RowProps } from './row-props.ts'

/** The agent's configuration was changed by its own proposal: its next step runs on this revision. */
export function RevisionRow({ row: { committed } }: RowProps<'revision'>) {
  return (
    <p className="text-muted">
      Published <span className="font-mono text-mono">{committed.revisionId}</span>. The agent uses it from
      the next step.
    </p>
  )
}
