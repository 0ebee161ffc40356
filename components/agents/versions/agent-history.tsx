import type { AgentRevision, RevisionSource } from '@waystation/protocol/agent/agent-revision.ts'
import { clock } from '#components/browser/format-time.ts'
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
  restore: 'restored',
  import: 'imported',
  agent: 'proposed by the agent'
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
    <section aria-labelledby="history" data-hook="revisions" className="flex flex-col gap-3">
      <h2 id="history" className="border-b pb-2 text-person font-semibold">
        Versions
      </h2>
      <ol aria-labelledby="history" className="-mt-3">
        {revisions.map(({ revision, savedBy, savedAt, note, source }) => (
          <li
            key={revision}
            data-revision={revision}
            data-source={source}
            className="grid min-h-9 grid-cols-[88px_minmax(0,1fr)_auto] items-center gap-x-4 border-b py-1"
          >
            <span className="font-semibold tabular-nums">Version {revision}</span>
            <div className="min-w-0">
              <p className="flex flex-wrap gap-x-3">
                <span className="min-w-0 truncate">{savedBy}</span>
                <time dateTime={savedAt} className="text-muted">
                  {now === undefined ? '' : clock(savedAt, now)}
                </time>
                {ways[source] === undefined ? null : <span className="text-muted">{ways[source]}</span>}
              </p>
              {note === undefined ? null : <p className="[overflow-wrap:anywhere]">{note}</p>}
            </div>
            {revision === newest ? (
              <span className="text-muted">published</span>
            ) : mayEdit ? (
              <RestoreRevision agentId={agentId} revision={revision} base={newest} onRestored={onRestored} />
            ) : null}
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
      ) : (
        <p data-hook="nothing-to-compare" className="text-muted">
          This agent has only one version, so there is nothing to compare yet.
        </p>
      )}
    </section>
  )
}
