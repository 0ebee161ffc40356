import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { EditedDraft } from './use-agent-draft.ts'

/** Says whether the changes are saved. If they are not valid, it is a button that leads to the first wrong field. */
export function DraftState({ draft: { autosave, changed, draft, agent, ...rest } }: { draft: EditedDraft }) {
  const now = useNow()
  const { name } = useWorkspace().me
  const at =
    draft === undefined || now === undefined || draft.savedAt === '' ? '' : ` ${clock(draft.savedAt, now)}`
  const by =
    draft === undefined || draft.savedBy === name || draft.savedBy === '' ? '' : ` by ${draft.savedBy}`
  const state =
    changed && rest.others !== undefined
      ? 'held'
      : autosave.failed
        ? 'failed'
        : autosave.refused
          ? 'refused'
          : changed
            ? 'saving'
            : draft === undefined
              ? 'published'
              : 'saved'
  const words = {
    failed: 'Not saved, retrying…',
    refused: 'Not saved',
    held: 'Not saved',
    saving: 'Saving…',
    published: 'Published',
    saved: `Draft saved${at}${by}`
  }[state]
  return (
    <p
      data-hook="draft-state"
      data-state={state}
      className={`max-w-full truncate tabular-nums ${state === 'published' ? 'text-muted' : 'rounded-sm border border-rail px-2'} ${['failed', 'refused', 'held'].includes(state) ? 'border-fail text-fail' : ''}`}
    >
      {`${words} · Version ${agent.revision}`}
      {state === 'refused' ? (
        <Button tone="quiet" data-hook="show-errors" className="ml-2" onClick={() => void rest.isValid()}>
          Show errors
        </Button>
      ) : null}
    </p>
  )
}

/** Discards the draft, after a confirmation. */
export const DiscardDraft = ({ draft }: { draft: EditedDraft }) => (
  <ConfirmButton
    tone="quiet"
    data-hook="discard-draft"
    title="Discard the draft?"
    description={`All changes since version ${draft.draft?.base ?? draft.agent.revision} are lost. The published version doesn't change.`}
    act="Discard draft"
    onAct={draft.discard}
  >
    Discard…
  </ConfirmButton>
)
