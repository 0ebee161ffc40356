'use client'
import type { IntegrationConfig, ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { ClientFields } from './client-fields.tsx'
import { RemoveSetUp } from './remove-set-up.tsx'
import { ServiceFields } from './service-fields.tsx'
import { configOf, type ServiceValues, serviceErrors, shortNameOf, valuesOf } from './service-values.ts'

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

/** The form to add or set up a service. Each field shows the errors that the server returned for it. */
export function ServiceForm(props: ServiceFormProps) {
  const { label, before, own = true, hasClientSecret = false, taken = [], redirectUri } = props
  const router = useRouter()
  const of = useSchemaForm({
    saved: valuesOf(before),
    inputOf: values => configOf(values, before),
    check: config => serviceErrors(config, taken)
  })
  const [fault, setFault] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The form opens below its button, possibly outside the visible area.
    form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus()
  }, [])
  const short = !own && before?.oauth !== undefined
  const save = async (values: ServiceValues) => {
    const config = configOf(values, before)
    const path = { integration: config.integration }
    const { clientSecret } = values
    const reply = await replyTo(client.call('saveIntegration', { path, body: { config, clientSecret } }))
    if (!reply.ok) return setFault(of.showErrors(reply))
    router.refresh()
    props.onSaved(reply.body)
  }
  const { ways, config } = of.values
  const clientFields = (
    <ClientFields
      at={ways.mcp ? 'config.mcp' : 'config.oauth'}
      hasClientSecret={hasClientSecret}
      redirectUri={redirectUri}
    />
  )
  return (
    <SchemaForm
      of={of}
      onSubmit={save}
      ref={form}
      aria-label={label}
      data-hook="service-form"
      className="flex w-full flex-col gap-4"
    >
      {short ? (
        clientFields
      ) : (
        <ServiceFields
          ways={ways}
          isNew={before === undefined}
          shortName={shortNameOf(config.service)}
          origins={before?.origins ?? []}
          client={clientFields}
        />
      )}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" disabled={of.form.formState.isSubmitting}>
          {before === undefined ? 'Add service' : 'Save setup'}
        </Button>
        <Button onClick={props.onClose}>Cancel</Button>
        {before !== undefined && own && props.onRemoved !== undefined ? (
          <RemoveSetUp config={before} onRemoved={props.onRemoved} />
        ) : null}
      </div>
    </SchemaForm>
  )
}
