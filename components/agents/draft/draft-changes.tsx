import type { ComponentProps } from 'react'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ReplaceDraft } from './replace-draft.tsx'
import type { EditedDraft } from './use-agent-draft.ts'

type DraftChangesProps = { draft: EditedDraft; mayEdit: boolean }

/** Notices about the last action, a draft from another window, and a newer revision. */
export function DraftChanges({ draft, mayEdit }: DraftChangesProps) {
  const now = useNow()
  const at = (time: string) => (now === undefined || time === '' ? '' : ` ${clock(time, now)}`)
  const { others, superseded, changed, said } = draft
  return (
    <div role="status">
      {said.text === '' ? null : (
        <Notice>
          <p
            data-hook="draft-outcome"
            data-failed={said.failed || undefined}
            className={said.failed ? 'text-fail' : 'text-muted'}
          >
            {said.text}
          </p>
        </Notice>
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
            Discard my changes
          </Button>
          {!mayEdit ? null : others.draft === null ? (
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
            Version {superseded} was published after you started editing. If you keep your changes, all other
            fields come from that version.
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
  <div {...props} className="flex flex-wrap items-center gap-3 border-b px-5 py-2 mid:px-8" />
)
