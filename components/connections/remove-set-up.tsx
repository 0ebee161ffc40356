'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Choice } from '#components/session/choice.tsx'
import { httpTo } from '#components/session/http.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import type { IntegrationConfig } from '#lib/protocol/integration.ts'

type RemoveSetUpProps = { config: IntegrationConfig; onRemoved: () => void }

/** Forgets what the workspace saved of a service. It asks once. */
export function RemoveSetUp({ config: { integration, service }, onRemoved }: RemoveSetUpProps) {
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const remove = async () => {
    const reply = await httpTo('')('DELETE', `/api/integrations/${encodeURIComponent(integration)}`)
    if (!reply.ok)
      return setFault(reply.lost ? 'The server does not answer. Try again.' : reply.refusal.error)
    setAsked(false)
    router.refresh()
    onRemoved()
  }
  return (
    <>
      <Button data-hook="remove-set-up" onClick={() => setAsked(true)}>
        Remove set-up…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Remove the set-up of ${service}?`}
        description="What this workspace saved of it is forgotten, its client’s secret too. If the server brings this service, it is as it was before; otherwise it is gone, and its connections are of no use without it."
      >
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <Choice act="Remove set-up" onAct={() => void remove()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}
