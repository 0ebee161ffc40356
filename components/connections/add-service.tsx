'use client'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useState } from 'react'
import { AddDialog } from '#components/ui/add-dialog.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ServiceForm } from './service-form.tsx'

/** The button of owners that opens the form of a new service. */
export function AddService({ integrations }: { integrations: readonly ListedIntegration[] }) {
  const { me } = useWorkspace()
  const [said, setSaid] = useState('')
  if (!me.mayOwn) return null
  return (
    <>
      <p role="status" data-hook="added-notice" className="text-muted empty:hidden">
        {said}
      </p>
      <AddDialog act="Add service" hook="add-service">
        {close => (
          <ServiceForm
            label="Add service"
            taken={integrations.map(({ integration }) => integration)}
            redirectUri={integrations[0]?.redirectUri}
            onClose={words => {
              close()
              setSaid(words)
            }}
          />
        )}
      </AddDialog>
    </>
  )
}
