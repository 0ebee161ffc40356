import { useState } from 'react'
import { Warnings } from '#components/agents/draft/warnings.tsx'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { useComparison } from './use-comparison.ts'

type RestoreRevisionProps = {
  agentId: string
  revision: number
  /** The published revision. */
  base: number
  onRestored: (revision: number) => Promise<void>
}

/** Publishes an earlier revision again, after the user has reviewed the changes. */
export function RestoreRevision({ agentId, revision, base, onRestored }: RestoreRevisionProps) {
  const [asked, setAsked] = useState(false)
  const [refusal, setRefusal] = useState('')
  const between = { from: String(base), to: String(revision) }
  const { comparison, fault } = useComparison(agentId, asked ? between : undefined)
  const [restore, busy] = useAction(async () => {
    const reply = await replyTo(client.agents.restore(agentId, revision, { base }))
    if (!reply.ok) return setRefusal(changeError(reply))
    setAsked(false)
    await onRestored(reply.body.revision)
  })
  return (
    <>
      <Button
        tone="quiet"
        aria-label={`Restore version ${revision}…`}
        onClick={() => setAsked(true)}
        data-hook="restore-revision"
      >
        Restore…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={open => {
          setAsked(open)
          setRefusal('')
        }}
        title={`Restore version ${revision}?`}
        description={`Version ${revision} is published again as version ${base + 1}. All versions stay in the history.`}
      >
        <div className="mt-2 flex min-w-0 flex-col gap-4">
          <Warnings warnings={comparison?.warnings} />
          {comparison === undefined ? null : <DiffList {...comparison} of={`restoring ${revision}`} />}
          <p role="alert" className="text-fail empty:hidden">
            {refusal || fault}
          </p>
          <DialogButtons>
            <Button
              tone="primary"
              disabled={busy || comparison === undefined}
              onClick={() => void restore()}
              data-hook="confirm"
            >
              Restore version {revision}
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </DialogButtons>
        </div>
      </Dialog>
    </>
  )
}
