'use client'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { ServiceForm } from './service-form.tsx'
import { ServiceRow } from './service-row.tsx'

/** Lists the services at which users can connect accounts. Owners can set up services and add others. */
export function Services({ integrations }: { integrations: readonly ListedIntegration[] }) {
  const { me } = useWorkspace()
  return (
    <Section title="Services">
      {me.mayAnswer ? null : (
        <p className="text-muted">
          You can view connections but not create them. Ask an operator, editor or owner for access.
        </p>
      )}
      <ul aria-label="Services" data-hook="services" className="-mt-3">
        {integrations.map(one => (
          <ServiceRow key={one.integration} integration={one} />
        ))}
      </ul>
      {me.mayOwn ? <AddService integrations={integrations} /> : null}
    </Section>
  )
}

function AddService({ integrations }: { integrations: readonly ListedIntegration[] }) {
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const toggle = useRef<HTMLButtonElement>(null)
  const close = (words: string) => {
    setOpen(false)
    setSaid(words)
    toggle.current?.focus()
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p role="status" data-hook="added-notice" className="empty:hidden">
        {said}
      </p>
      <Button
        ref={toggle}
        data-hook="add-service"
        aria-expanded={open}
        onClick={() => (open ? close('') : setOpen(true))}
      >
        Add a service
      </Button>
      {open ? (
        <ServiceForm
          label="Add a service"
          taken={integrations.map(({ integration }) => integration)}
          redirectUri={integrations[0]?.redirectUri}
          onClose={close}
        />
      ) : null}
    </div>
  )
}
