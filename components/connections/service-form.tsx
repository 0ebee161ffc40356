import type { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { ClientFields } from './client-fields.tsx'
import { ServiceFields } from './service-fields.tsx'
import { configOf, type ServiceValues, serviceErrors, shortNameOf, valuesOf } from './service-values.ts'

type ServiceFormProps = {
  label: string
  /**
   * The saved service. Undefined: the form adds a service. `own`: the service is saved in this workspace. For
   * a built-in OAuth service, only the client can be changed.
   */
  saved?: { config: IntegrationConfig; own: boolean; hasClientSecret: boolean }
  /** Short names that are in use. */
  taken?: readonly string[]
  redirectUri: string | undefined
  /** Receives the outcome as text, which is empty if nothing was saved. */
  onClose: (said: string) => void
}

/** The form to add or set up a service. Each field shows the errors that the server returned for it. */
export function ServiceForm({ label, saved, taken = [], redirectUri, onClose }: ServiceFormProps) {
  const before = saved?.config
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
  const short = saved?.own === false && before?.oauth !== undefined
  const save = async (values: ServiceValues) => {
    const config = configOf(values, before)
    const path = { integration: config.integration }
    const { clientSecret } = values
    const reply = await replyTo(client.call('saveIntegration', { path, body: { config, clientSecret } }))
    if (!reply.ok) return setFault(of.showErrors(reply))
    router.refresh()
    const done = before === undefined ? `${reply.body.service} was added.` : 'Saved.'
    // A service without modes can be connected only with OAuth, and has no client ID.
    if (reply.body.modes.length === 0) onClose(`${done} To connect accounts, set a client ID first.`)
    else onClose(before === undefined ? `${done} You can now connect an account.` : done)
  }
  const remove = async ({ integration }: IntegrationConfig) => {
    const reply = await replyTo(client.call('removeIntegration', { path: { integration } }))
    if (!reply.ok) return changeError(reply)
    router.refresh()
    onClose('The setup was removed.')
  }
  const { ways, config } = of.values
  const clientFields = (
    <ClientFields
      at={ways.mcp ? 'config.mcp' : 'config.oauth'}
      hasClientSecret={saved?.own === true && saved.hasClientSecret}
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
      <Fault>{fault}</Fault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" disabled={of.form.formState.isSubmitting}>
          {before === undefined ? 'Add service' : 'Save setup'}
        </Button>
        <Button onClick={() => onClose('')}>Cancel</Button>
        {saved?.own ? (
          <ConfirmButton
            data-hook="remove-set-up"
            title={`Remove the ${saved.config.service} setup?`}
            description="This deletes the workspace's settings for the service, including its client secret. If the service is built in, its default settings apply again. Otherwise the service is removed, and its connections stop working."
            act="Remove setup"
            onAct={() => remove(saved.config)}
          >
            Remove setup…
          </ConfirmButton>
        ) : null}
      </div>
    </SchemaForm>
  )
}
