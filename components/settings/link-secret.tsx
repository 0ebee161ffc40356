'use client'
import { useState } from 'react'
import { Choice } from '#components/session/choice.tsx'
import { faultOf } from '#components/session/fault-of.ts'
import { httpTo } from '#components/session/http.ts'
import { useOnce } from '#components/session/use-once.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Outcome, type Said } from '#components/ui/outcome.tsx'
import { Section } from './section.tsx'

/** The secret that signs the workspace's links (docs/operating.md). */
export function LinkSecret({ mayOwn }: { mayOwn: boolean }) {
  return (
    <Section title="Links" hook="link-secret">
      {mayOwn ? (
        <Rotate />
      ) : (
        <p className="text-muted">Only an owner of this workspace rotates its link secret.</p>
      )}
    </Section>
  )
}

function Rotate() {
  const [asking, setAsking] = useState(false)
  const [said, setSaid] = useState<Said>({ text: '' })
  const [rotate, busy] = useOnce(async () => {
    setAsking(false)
    const reply = await httpTo('')('POST', '/api/workspace/link-secret/rotate', {})
    setSaid(
      reply.ok
        ? { text: 'The secret is rotated. Earlier links are refused.' }
        : { text: faultOf(reply), failed: true }
    )
  })
  return (
    <>
      <p className="max-w-[68ch]">
        A secret of this workspace signs answer links, answer pages and callback links. Rotate it when such a
        link may be in the wrong hands.
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
        description="All answer links, answer pages and callback links that were sent so far stop working. Open calls stay open and can be answered in their sessions. An external agent gets a new callback link with the next message."
      >
        <Choice act="Rotate secret" onAct={() => void rotate()} onKeep={() => setAsking(false)} />
      </Dialog>
    </>
  )
}
