import type { AgentDraft } from '@waystation/protocol/agent/agent-revision.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import { useState } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import type { EditedDraft } from './use-agent-draft.ts'

type ReplaceDraftProps = {
  draft: EditedDraft
  /** The draft that another window saved. */
  other: AgentDraft
}

/** Saves the user's changes over a draft from another window, after showing how they differ from it. */
export function ReplaceDraft({ draft, other }: ReplaceDraftProps) {
  const [open, setOpen] = useState(false)
  const [replace, busy] = useAction(async () => {
    await draft.replace(other.version)
    setOpen(false)
  })
  return (
    <>
      <Button onClick={() => setOpen(true)} data-hook="replace-draft">
        Replace draft…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Replace the other draft?"
        description={`The draft that ${other.savedBy} saved is lost. Your version differs from it as follows.`}
      >
        <div className="mt-2 flex min-w-0 flex-col gap-4">
          <DiffList changes={diffConfigs(other.config, draft.of.input)} of="your version" />
          <DialogButtons>
            <Button tone="danger" disabled={busy} onClick={() => void replace()} data-hook="confirm">
              Replace draft
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </DialogButtons>
        </div>
      </Dialog>
    </>
  )
}
