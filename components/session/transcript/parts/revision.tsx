import type { RowProps } from './row-props.ts'

/** Shows that a revision which the agent proposed was published. The agent uses it from its next step. */
export function RevisionRow({ row: { committed } }: RowProps<'revision'>) {
  return (
    <p className="text-muted">
      Published <span className="font-mono text-mono">{committed.revisionId}</span>. The agent uses it from
      the next step.
    </p>
  )
}
