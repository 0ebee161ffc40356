import type { AgentDraft, AgentRevision, RevisionSource } from '@waystation/protocol/agent/agent-revision.ts'
import { type ReactNode, useState } from 'react'
import { ago, dated } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { RestoreRevision } from './restore-revision.tsx'
import { RevisionDiff } from './revision-diff.tsx'

export type SavedRevision = Omit<AgentRevision, 'config'> & {
  /** Says what changed since the revision before. */
  changed: string
}

type AgentHistoryProps = {
  agentId: string
  revisions: readonly SavedRevision[]
  draft: AgentDraft | undefined
  mayEdit: boolean
  onRestored: (revision: number) => Promise<void>
}

const ways: Partial<Record<RevisionSource, string>> = {
  restore: 'Restored',
  import: 'Imported',
  agent: 'Proposed by the agent, accepted'
}

/** Lists the draft and the revisions of an agent, newest first. A row opens to its changes. Editors can restore an earlier one. */
export function AgentHistory({ agentId, revisions, draft, mayEdit, onRestored }: AgentHistoryProps) {
  const newest = revisions[0]?.revision ?? 0
  const names = revisions.map(({ revision }) => String(revision))
  const common = { agentId, version: draft?.version }
  return (
    <section aria-label="Versions" data-hook="revisions">
      <ol aria-label="Versions" className="-mt-2">
        {draft === undefined ? null : (
          <HistoryRow
            {...common}
            name="draft"
            others={names}
            title="Draft"
            line="Not published yet."
            by={`Saved by ${draft.savedBy}`}
            at={draft.savedAt}
          />
        )}
        {revisions.map(({ revision, savedBy, savedAt, note, source, changed }, index) => (
          <HistoryRow
            key={revision}
            {...common}
            name={String(revision)}
            source={source}
            // The one before is the default.
            others={[...names.slice(index + 1), ...names.slice(0, index).reverse()]}
            title={`Version ${revision}`}
            line={changed}
            note={note}
            by={`${ways[source] ?? 'Published'} by ${savedBy}`}
            at={savedAt}
          >
            {revision === newest ? (
              <span className="text-muted">Current</span>
            ) : mayEdit ? (
              <RestoreRevision agentId={agentId} revision={revision} base={newest} onRestored={onRestored} />
            ) : null}
          </HistoryRow>
        ))}
      </ol>
    </section>
  )
}

type HistoryRowProps = {
  agentId: string
  name: string
  source?: RevisionSource
  others: readonly string[]
  version: number | undefined
  title: string
  line: string
  note?: string | undefined
  by: string
  at: string
  /** The state or the action at the right. */
  children?: ReactNode
}

/** A row whose button covers it and opens its changes. */
function HistoryRow({ title, line, note, by, at, source, children, ...diff }: HistoryRowProps) {
  const now = useNow()
  const [open, setOpen] = useState(false)
  return (
    <li
      data-revision={diff.name}
      data-source={source}
      className="relative isolate grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b py-2.5 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel has-[[aria-expanded=true]]:before:bg-transparent mid:grid-cols-[88px_minmax(0,1fr)_auto]"
    >
      {diff.others.length === 0 ? (
        <span className="font-semibold tabular-nums">{title}</span>
      ) : (
        <button
          type="button"
          data-hook="show-changes"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="self-start text-left font-semibold tabular-nums after:absolute after:inset-0"
        >
          {title}
          <span className="sr-only">, changes</span>
        </button>
      )}
      <div className="min-w-0 [overflow-wrap:anywhere] max-mid:col-span-full max-mid:row-start-2">
        <p>{line}</p>
        {note === undefined ? null : <p>“{note}”</p>}
        <p className="text-muted">
          {by}
          {now === undefined || at === '' ? null : (
            <time dateTime={at} title={dated(at)}>
              , {ago(at, now)}
            </time>
          )}
        </p>
      </div>
      <div className="relative max-mid:col-start-2 max-mid:row-start-1">{children}</div>
      {open ? <RevisionDiff {...diff} /> : null}
    </li>
  )
}
