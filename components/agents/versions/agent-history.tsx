import type { AgentRevision, RevisionSource } from '@waystation/protocol/agent/agent-revision.ts'
import { ago, dated } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { CompareRevisions } from './compare-revisions.tsx'
import { RestoreRevision } from './restore-revision.tsx'

export type SavedRevision = Omit<AgentRevision, 'config'>

type AgentHistoryProps = {
  agentId: string
  revisions: readonly SavedRevision[]
  /** The version of the draft. Undefined without a draft. */
  draftVersion: number | undefined
  mayEdit: boolean
  onRestored: (revision: number) => Promise<void>
}

const ways: Partial<Record<RevisionSource, string>> = {
  restore: 'Restored',
  import: 'Imported',
  agent: 'Proposed by the agent, accepted'
}

/**
 * Lists the revisions of an agent, newest first. Users can compare two of them, and editors can restore an
 * earlier one.
 */
export function AgentHistory({ agentId, revisions, draftVersion, mayEdit, onRestored }: AgentHistoryProps) {
  const now = useNow()
  const newest = revisions[0]?.revision ?? 0
  const drafted = draftVersion !== undefined
  return (
    <section aria-label="Versions" data-hook="revisions" className="flex flex-col gap-4">
      <ol aria-label="Versions">
        {revisions.map(({ revision, savedBy, savedAt, note, source }) => (
          <li
            key={revision}
            data-revision={revision}
            data-source={source}
            className="group relative isolate grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel max-mid:*:last:col-start-2 max-mid:*:last:row-span-2 max-mid:*:last:row-start-1 mid:grid-cols-[88px_minmax(0,1fr)_auto]"
          >
            <span className="font-semibold tabular-nums">Version {revision}</span>
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="text-muted">
                {ways[source] ?? 'Published'} by {savedBy}
                {now === undefined ? null : (
                  <time dateTime={savedAt} title={dated(savedAt)}>
                    , {ago(savedAt, now)}
                  </time>
                )}
              </p>
              {note === undefined ? null : <p>{note}</p>}
            </div>
            {revision === newest ? (
              <span className="text-muted">Current</span>
            ) : (
              <div className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
                {mayEdit ? (
                  <RestoreRevision
                    agentId={agentId}
                    revision={revision}
                    base={newest}
                    onRestored={onRestored}
                  />
                ) : null}
              </div>
            )}
          </li>
        ))}
      </ol>
      {revisions.length > 1 || drafted ? (
        <CompareRevisions
          key={`${newest} ${drafted}`}
          agentId={agentId}
          version={draftVersion}
          names={[...(drafted ? ['draft'] : []), ...revisions.map(({ revision }) => String(revision))]}
        />
      ) : null}
    </section>
  )
}
