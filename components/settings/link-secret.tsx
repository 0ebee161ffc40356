'use client'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Outcome, type Said } from '#components/ui/outcome.tsx'
import { Section } from '#components/ui/section.tsx'

/** Rotates the secret that signs the workspace's links (docs/operating.md). */
export function LinkSecret({ mayOwn }: { mayOwn: boolean }) {
  return (
    <Section title="Links" hook="link-secret">
      {mayOwn ? <Rotate /> : <p className="text-muted">Only workspace owners can rotate the link secret.</p>}
    </Section>
  )
}

function Rotate() {
  const [asking, setAsking] = useState(false)
  const [said, setSaid] = useState<Said>({ text: '' })
  const [rotate, busy] = useAction(async () => {
    setAsking(false)
    const reply = await replyTo(client.call('rotateLinkSecret'))
    setSaid(
      reply.ok
        ? { text: 'Link secret rotated. Earlier links no longer work.' }
        : { text: changeError(reply), failed: true }
    )
  })
  return (
    <>
      <p className="max-w-[68ch]">
        This workspace's link secret signs answer links, answer pages and callback links. Rotate the secret if
        such a link may have leaked.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button data-hook="rotate-link-secret" disabled={busy} onClick={() => setAsking(true)}>
          Rotate secret
        </Button>
        <Outcome said={said} />
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Rotate the link secret?"
        description="All answer links, answer pages and callback links sent so far stop working. Pending calls stay open, and you can answer them in their sessions. External agents get a new callback link with their next message."
      >
        <ConfirmButtons act="Rotate secret" onAct={() => void rotate()} onKeep={() => setAsking(false)} />
      </Dialog>
    </>
  )
}
