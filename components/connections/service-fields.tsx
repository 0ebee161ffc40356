import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { optional, trimmed } from '#components/forms/text-format.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Button } from '#components/ui/button.tsx'
import type { ServiceValues } from './service-values.ts'

type ServiceFieldsProps = {
  ways: ServiceValues['ways']
  isNew: boolean
  /** The short name of the service, or the default for a new one. */
  shortName: string
  /** Additional origins that receive requests with an account's credentials. */
  origins: readonly string[]
  /** The fields for this server as an OAuth client. */
  client: ReactNode
}

/**
 * The fields of the service form: the service, how accounts are connected, and where to read an account's
 * name.
 */
export function ServiceFields({ ways, isNew, shortName, origins, client }: ServiceFieldsProps) {
  const reach = ['this origin', ...origins.map(at => new URL(at).host)]
  return (
    <>
      <div className="grid gap-4 mid:grid-cols-2">
        <FormField name="config.service" as={trimmed} label="Name" required />
        <FormField name="config.description" as={optional} label="Description" />
        <ShortName isNew={isNew} derived={shortName} />
      </div>
      <Ways mcp={ways.mcp} />
      {ways.mcp ? (
        <Group title="MCP server">
          <UrlField
            name="config.mcp.url"
            as={trimmed}
            label="MCP server URL"
            hint={`Sign-in is detected automatically.${isNew ? '' : ' If you change the URL, accounts must be reconnected.'}`}
            required
          />
          <details>
            <summary className="tap max-mid:leading-[44px]">Manually registered client</summary>
            <div className="flex flex-col gap-4 pt-2">{client}</div>
          </details>
        </Group>
      ) : (
        <UrlField
          name="config.apiBase"
          as={trimmed}
          label="API base"
          hint={`Requests with an account's credentials go only to ${and.format(reach)}.${isNew ? '' : ' If you change the API base, accounts must be reconnected.'}`}
          required
        />
      )}
      {ways.apiKey ? (
        <Group title="Token or key">
          <FormField
            name="config.apiKey.fields.0.label"
            as={trimmed}
            label="Field label"
            hint="For example: Personal access token."
            required
          />
          <div className="grid gap-4 mid:grid-cols-2">
            <FormField name="config.apiKey.header.name" as={trimmed} label="Header" required mono />
            <FormField
              name="config.apiKey.header.value"
              as={trimmed}
              label="Header value"
              hint="{token} is replaced by what the user enters."
              required
              mono
            />
          </div>
        </Group>
      ) : null}
      {ways.oauth && !ways.mcp ? (
        <Group title="OAuth sign-in">
          <UrlField
            name="config.oauth.issuer"
            as={optional}
            label="Issuer"
            hint="The endpoints are discovered from the issuer. Leave empty to enter both yourself."
          />
          <div className="grid gap-4 mid:grid-cols-2">
            <UrlField
              name="config.oauth.authorizationEndpoint"
              as={optional}
              label="Authorization endpoint"
            />
            <UrlField name="config.oauth.tokenEndpoint" as={optional} label="Token endpoint" />
          </div>
          <FormCheckbox name="ways.device">Also allow sign-in on another device with a code</FormCheckbox>
          {ways.device ? (
            <UrlField
              name="config.oauth.deviceAuthorizationEndpoint"
              as={optional}
              label="Device authorization endpoint"
              hint="Needed only without an issuer."
            />
          ) : null}
          {client}
        </Group>
      ) : null}
      {ways.mcp ? null : (
        <FormDetails
          summary="Account name"
          summaryClassName="tap content-center font-semibold"
          data-hook="account-name"
        >
          <div className="grid gap-4 pt-2 mid:grid-cols-2">
            <FormField
              name="config.account.path"
              as={trimmed}
              label="Account path"
              hint="Optional. A path below the API base, such as user. Waystation requests it to get the account's name and to check that the token works."
              mono
            />
            <FormField
              name="config.account.field"
              as={trimmed}
              label="Name field"
              hint="Response field, such as login."
              mono
            />
          </div>
        </FormDetails>
      )}
    </>
  )
}

const and = new Intl.ListFormat('en-GB')

const UrlField = (props: ComponentProps<typeof FormField>) => <FormField {...props} inputMode="url" mono />

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-4">
    <legend className="pt-2 pb-2 text-title font-semibold">{title}</legend>
    {children}
  </fieldset>
)

/** The ID of the service. It comes from the name, until the user types another one. */
function ShortName({ isNew, derived }: { isNew: boolean; derived: string }) {
  const [open, setOpen] = useState(false)
  const { value, fault } = useFormValue<string>('config.integration')
  // An error is about the field, so it opens.
  if (fault !== undefined && !open) setOpen(true)
  useEffect(() => {
    if (open) document.querySelector<HTMLElement>('[name="config.integration"]')?.focus()
  }, [open])
  if (open)
    return (
      <FormField
        name="config.integration"
        as={trimmed}
        label="Short name"
        hint="Can't be changed later."
        placeholder={derived}
        mono
      />
    )
  if (value === '' && derived === '') return null
  return (
    <p className="col-span-full -mt-2 text-muted">
      Agents use it as <code className="font-mono text-mono">{value || derived}</code>.{' '}
      {isNew ? (
        <Button tone="quiet" onClick={() => setOpen(true)}>
          Change short name
        </Button>
      ) : null}
    </p>
  )
}

function Ways({ mcp }: { mcp: boolean }) {
  const { setValue, clearErrors, getFieldState, formState } = useFormContext()
  const fault = getFieldState('ways.apiKey', formState).error?.message
  const id = useId()
  const changed = () => clearErrors('ways')
  return (
    <fieldset aria-describedby={fault === undefined ? undefined : id} className="flex flex-col gap-1">
      <legend className="pt-2 pb-2 text-title font-semibold">How accounts are connected</legend>
      <FormCheckbox name="ways.apiKey" onChange={changed}>
        With a token or API key
      </FormCheckbox>
      {mcp ? null : (
        <FormCheckbox name="ways.oauth" onChange={changed}>
          With OAuth sign-in
        </FormCheckbox>
      )}
      <FormCheckbox
        name="ways.mcp"
        onChange={checked => {
          changed()
          // An MCP server has its own sign-in, which replaces OAuth. The user can still add a token or key.
          if (checked) setValue('ways', { mcp: true, apiKey: false, oauth: false, device: false })
        }}
      >
        As an MCP server with its own sign-in
      </FormCheckbox>
      {fault === undefined ? null : (
        <p id={id} data-hook="field-error" className="text-fail">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
