'use client'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ServiceForm } from './service-form.tsx'

/** The button of owners that opens the form of a new service. */
export function AddService({ integrations }: { integrations: readonly ListedIntegration[] }) {
  const { me } = useWorkspace()
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  if (!me.mayOwn) return null
  return (
    <>
      <p role="status" data-hook="added-notice" className="text-muted empty:hidden">
        {said}
      </p>
      <Button tone="primary" data-hook="add-service" onClick={() => setOpen(true)}>
        Add service
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Add service">
        <ServiceForm
          label="Add service"
          taken={integrations.map(({ integration }) => integration)}
          redirectUri={integrations[0]?.redirectUri}
          onClose={words => {
            setOpen(false)
            setSaid(words)
          }}
        />
      </Dialog>
    </>
  )
}
