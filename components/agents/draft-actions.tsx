import { useState } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Field } from '#components/ui/field.tsx'
import type { Review, useAgentDraft } from './use-agent-draft.ts'
import { Warnings } from './warnings.tsx'

/** Buttons that publish the draft after a review, save it or discard it. */
export function DraftActions({ draft }: { draft: ReturnType<typeof useAgentDraft> }) {
  const [review, setReview] = useState<Review>()
  const [note, setNote] = useState('')
  const [look, looking] = useAction(async () => setReview(await draft.review()))
  const [keep, keeping] = useAction(draft.keep)
  const [publish, publishing] = useAction(async () => {
    await draft.publish(note)
    setReview(undefined)
    setNote('')
  })
  const busy = looking || keeping || publishing
  return (
    <>
      <Button
        tone="primary"
        disabled={busy || !draft.pending}
        onClick={() => void look()}
        data-hook="review-draft"
      >
        Publish…
      </Button>
      <Button disabled={busy || !draft.changed} onClick={() => void keep()} data-hook="save-draft">
        Save draft
      </Button>
      <ConfirmButton
        disabled={busy || !draft.pending}
        data-hook="discard-draft"
        title="Discard the draft?"
        description={`All changes since revision ${draft.draft?.base ?? draft.agent.revision} are lost. The published revision doesn't change.`}
        act="Discard draft"
        onAct={draft.discard}
      >
        Discard…
      </ConfirmButton>
      <Dialog
        open={review !== undefined}
        onOpenChange={() => setReview(undefined)}
        title={`Publish revision ${review?.next ?? ''}?`}
        description="Sessions switch to this revision at their next step, unless they are pinned. Pending requests don't change."
      >
        {review === undefined ? null : (
          <Form onSubmit={publish} className="mt-2 flex min-w-0 flex-col gap-4">
            <Warnings warnings={review.warnings} />
            <DiffList changes={review.changes} widens={review.widens} of={`revision ${review.next}`} />
            <Field
              name="note"
              label="Note"
              hint="Shown in the revision history. Optional."
              value={note}
              onChange={words => setNote(words.slice(0, 500))}
            />
            <DialogButtons>
              <Button
                type="submit"
                tone="primary"
                disabled={publishing || review.changes.length === 0}
                data-hook="publish-revision"
              >
                Publish revision {review.next}
              </Button>
              <Button onClick={() => setReview(undefined)}>Cancel</Button>
            </DialogButtons>
          </Form>
        )}
      </Dialog>
    </>
  )
}
