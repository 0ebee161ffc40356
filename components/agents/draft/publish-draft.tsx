import { useState } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Field } from '#components/ui/field.tsx'
import type { EditedDraft, Review } from './use-agent-draft.ts'
import { Warnings } from './warnings.tsx'

/** A button that publishes the draft after a review. */
export function PublishDraft({ draft }: { draft: EditedDraft }) {
  const [review, setReview] = useState<Review>()
  const [note, setNote] = useState('')
  const [look, looking] = useAction(async () => setReview(await draft.review()))
  const [publish, publishing] = useAction(async () => {
    await draft.publish(note)
    setReview(undefined)
    setNote('')
  })
  return (
    <>
      <Button
        tone="primary"
        disabled={looking || publishing || !draft.pending}
        // Without changes, it only says so.
        className={draft.pending ? '' : 'border-transparent! px-0! font-normal!'}
        onClick={() => void look()}
        data-hook="review-draft"
      >
        {draft.pending ? 'Publish…' : 'No changes'}
      </Button>
      <Dialog
        open={review !== undefined}
        onOpenChange={() => setReview(undefined)}
        title={`Publish version ${review?.next ?? ''}?`}
        description="Sessions switch to this version at their next step, unless pinned. Open requests are not changed."
      >
        {review === undefined ? null : (
          <Form onSubmit={publish} className="mt-2 flex min-w-0 flex-col gap-4">
            <Warnings warnings={review.warnings} />
            <DiffList changes={review.changes} widens={review.widens} of={`version ${review.next}`} />
            <Field
              name="note"
              label="Note (optional)"
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
                Publish version {review.next}
              </Button>
              <Button onClick={() => setReview(undefined)}>Cancel</Button>
            </DialogButtons>
          </Form>
        )}
      </Dialog>
    </>
  )
}
