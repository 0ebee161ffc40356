'use client'
import { useNow } from '#components/session/use-now.ts'
import { clock } from '#components/session/when.ts'

export type SavedRevision = { revision: number; savedBy: string; savedAt: string }

/** Who saved which revision when, newest first. */
export function AgentHistory({ revisions }: { revisions: readonly SavedRevision[] }) {
  const now = useNow()
  return (
    <section aria-labelledby="history" className="max-w-[760px] pt-8">
      <h2 id="history" className="pb-2 text-person font-semibold">
        Revisions
      </h2>
      <ol className="border-t">
        {revisions.map(({ revision, savedBy, savedAt }) => (
          <li key={revision} className="flex gap-4 border-b py-1">
            <span className="w-8 font-mono text-mono">{revision}</span>
            <span className="min-w-0 flex-1 truncate">{savedBy}</span>
            <time dateTime={savedAt} className="text-muted">
              {now === undefined ? '' : clock(savedAt, now)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
