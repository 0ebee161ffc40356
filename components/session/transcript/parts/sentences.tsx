import { clsx } from 'clsx'
import { length } from '#components/browser/format-time.ts'
import { SafeLink } from '#components/session/content/safe-link.tsx'
import { hookWords } from '#components/session/wording/hook-words.ts'
import type { RowProps } from './row-props.ts'

/** Marks the handoff after which another agent replies. */
export function HandOffRow({ row: { handOff } }: RowProps<'handoff'>) {
  const { toName, fromName, by, reason } = handOff
  const who = by.kind === 'agent' ? fromName : by.kind === 'plugin' ? `the plugin ${by.name}` : by.name
  return (
    <p data-hook="handoff" className="text-muted [overflow-wrap:anywhere]">
      Handed off to <span className="font-semibold text-ink">{toName}</span> by {who}
      {reason === undefined ? '.' : `: ${reason}`}
    </p>
  )
}

/** Shows that a plugin changed or canceled something, or failed. */
export function HookRow({ row: { run } }: RowProps<'hook'>) {
  return (
    <p className={clsx('[overflow-wrap:anywhere]', run.outcome === 'failed' ? 'text-fail' : 'text-muted')}>
      The plugin <span className="font-mono text-mono">{run.plugin}</span> {hookWords(run)}
    </p>
  )
}

/** Shows that a revision which the agent proposed was published. The agent uses it from its next step. */
export function RevisionRow({ row: { committed } }: RowProps<'revision'>) {
  return (
    <p className="text-muted">
      Published <span className="font-mono text-mono">{committed.revisionId}</span>. The agent uses it from
      the next step.
    </p>
  )
}

/** A page that the agent cites as a source. */
export function SourceRow({ row: { part } }: RowProps<'source'>) {
  return (
    <p className="truncate text-muted">
      Source{' '}
      <SafeLink url={part.url} className="text-ink">
        {part.title ?? part.url}
      </SafeLink>
    </p>
  )
}

/** The length of a finished wait, in a gap of the rail. */
export function WaitRow({ row }: RowProps<'wait'>) {
  return (
    <p data-hook="waited" className="pb-1 text-muted tabular-nums">
      waited {length(row.ms)}
    </p>
  )
}
