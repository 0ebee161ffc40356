import type { ComponentProps } from 'react'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ReplaceDraft } from './replace-draft.tsx'
import type { useAgentDraft } from './use-agent-draft.ts'

type DraftChangesProps = { draft: ReturnType<typeof useAgentDraft>; mayEdit: boolean }

/** Notices about a saved draft, a draft from another window, and a newer revision. */
export function DraftChanges({ draft, mayEdit }: DraftChangesProps) {
  const now = useNow()
  const at = (time: string) => (now === undefined || time === '' ? '' : ` ${clock(time, now)}`)
  const { others, superseded, changed } = draft
  const kept = draft.draft
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      {kept === undefined || kept.savedBy === '' ? null : (
        <p data-hook="draft-notice" className="text-muted">
          Draft based on revision {kept.base}, saved by {kept.savedBy}
          {at(kept.savedAt)}. Sessions use revision {draft.agent.revision}.
        </p>
      )}
      {others === undefined || (others.draft === null && superseded !== undefined) ? null : (
        <Notice data-hook="other-draft" data-changed={changed || undefined}>
          <p className="min-w-0 flex-1 basis-60">
            {others.draft === null
              ? "This agent's draft was discarded in another window."
              : `${others.draft.savedBy} saved a draft of this agent in another window${at(others.draft.savedAt)}.`}
            {changed ? " Your changes in this window aren't saved." : ''}
          </p>
          <Button onClick={() => void draft.load('Latest version loaded.')} data-hook="load-draft">
            {changed ? 'Discard my changes' : 'Load latest version'}
          </Button>
          {!changed || !mayEdit ? null : others.draft === null ? (
            <Button onClick={() => void draft.replace(others.version)} data-hook="keep-changes">
              Keep my changes
            </Button>
          ) : (
            <ReplaceDraft draft={draft} other={others.draft} />
          )}
        </Notice>
      )}
      {superseded === undefined ? null : (
        <Notice data-hook="newer-revision" data-revision={superseded}>
          <p className="min-w-0 flex-1 basis-60">
            Revision {superseded} was published after you started editing. If you keep your changes, all other
            fields come from that revision.
          </p>
          {mayEdit ? (
            <Button onClick={() => void draft.rebase()} data-hook="rebase-draft">
              Keep my changes
            </Button>
          ) : null}
        </Notice>
      )}
    </div>
  )
}

const Notice = (props: ComponentProps<'div'>) => (
  <div {...props} className="flex flex-wrap items-center gap-3 border-t border-b py-2" />
)
