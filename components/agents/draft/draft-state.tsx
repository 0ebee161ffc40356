import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
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
      title={draft === undefined ? undefined : `Based on version ${draft.base}`}
      className={`w-fit max-w-full truncate rounded-sm border px-2 tabular-nums ${['failed', 'refused', 'held'].includes(state) ? 'border-fail text-fail' : 'text-muted'}`}
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
