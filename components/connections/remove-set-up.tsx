'use client'
import type { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

type RemoveSetUpProps = { config: IntegrationConfig; onRemoved: () => void }

/** Deletes the workspace's settings for a service, after a confirmation. */
export function RemoveSetUp({ config: { integration, service }, onRemoved }: RemoveSetUpProps) {
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const remove = async () => {
    const reply = await replyTo(client.call('removeIntegration', { path: { integration } }))
    if (!reply.ok) return setFault(changeError(reply))
    setAsked(false)
    router.refresh()
    onRemoved()
  }
  return (
    <>
      <Button data-hook="remove-set-up" onClick={() => setAsked(true)}>
        Remove setup…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Remove the ${service} setup?`}
        description="This deletes the workspace's settings for the service, including its client secret. If the service is built in, its default settings apply again. Otherwise the service is removed, and its connections stop working."
      >
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <ConfirmButtons act="Remove setup" onAct={() => void remove()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}
