'use client'
import type { IntegrationConfig, ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { ClientFields } from './client-fields.tsx'
import { RemoveSetUp } from './remove-set-up.tsx'
import { configOf, draftOf, type Named } from './service-draft.ts'
import { type ServiceFaults, serviceFaults } from './service-errors.ts'
import { ServiceFields } from './service-fields.tsx'

type ServiceFormProps = {
  label: string
  /** The saved configuration. Undefined: the form adds a service. */
  before?: IntegrationConfig
  /**
   * True if the service is saved in this workspace. For a built-in OAuth service, only the client can be
   * changed.
   */
  own?: boolean
  hasClientSecret?: boolean
  /** Short names that are in use. */
  taken?: readonly string[]
  redirectUri: string | undefined
  /**
   * Receives the saved service. Its `modes` are empty if OAuth is its only way to connect and it has no
   * client ID.
   */
  onSaved: (saved: ListedIntegration) => void
  onRemoved?: () => void
  onClose: () => void
}

const registration: readonly string[] = ['clientId', 'clientSecret', 'scopes'] satisfies Named[]

/** The form to add or set up a service. Each field shows the errors that the server returned for it. */
export function ServiceForm(props: ServiceFormProps) {
  const { label, before, own = true, hasClientSecret = false, taken = [], redirectUri } = props
  const router = useRouter()
  const [draft, setDraft] = useState(() => draftOf(before))
  const [faults, setFaults] = useState<ServiceFaults>({})
  const [fault, setFault] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The form opens below its button, possibly outside the visible area.
    form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus()
  }, [])
  const short = !own && before?.oauth !== undefined
  const config = configOf(draft, before)

  const [save, busy] = useAction(async () => {
    if (taken.includes(config.integration)) {
      setFault('')
      return setFaults({ integration: 'A service with this short name already exists. Choose another name.' })
    }
    const secret = draft.clientSecret.trim()
    const path = { integration: config.integration }
    const body = { config, ...(secret === '' ? {} : { clientSecret: secret }) }
    const reply = await replyTo(client.call('saveIntegration', { path, body }))
    if (reply.ok) {
      router.refresh()
      return props.onSaved(reply.body)
    }
    if (reply.error.temporary) return setFault(changeError(reply))
    const isShown = (name: string) => !short || registration.includes(name)
    const found = serviceFaults(reply.error, isShown)
    setFaults(found.faults)
    setFault(found.rest)
  })
  const field = (name: Named) => ({
    name,
    value: draft[name],
    fault: faults[name],
    onChange: (value: string) => setDraft(now => ({ ...now, [name]: value }))
  })
  const clientFields = (
    <ClientFields field={field} hasClientSecret={hasClientSecret} redirectUri={redirectUri} />
  )
  return (
    <form
      ref={form}
      aria-label={label}
      data-hook="service-form"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
      className="flex w-full flex-col gap-4"
    >
      {short ? (
        clientFields
      ) : (
        <ServiceFields
          draft={draft}
          isNew={before === undefined}
          shortName={config.integration}
          origins={before?.origins ?? []}
          waysFault={faults.ways}
          change={part => setDraft(now => ({ ...now, ...part }))}
          field={field}
          client={clientFields}
        />
      )}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" disabled={busy}>
          {before === undefined ? 'Add service' : 'Save setup'}
        </Button>
        <Button onClick={props.onClose}>Cancel</Button>
        {before !== undefined && own && props.onRemoved !== undefined ? (
          <RemoveSetUp config={before} onRemoved={props.onRemoved} />
        ) : null}
      </div>
    </form>
  )
}
