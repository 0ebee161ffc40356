'use client'
import { type ReactNode, useId } from 'react'
import { Field } from '#components/ui/field.tsx'
import type { FieldOf } from './client-fields.tsx'
import type { ServiceDraft } from './service-draft.ts'

type ServiceFieldsProps = {
  draft: ServiceDraft
  isNew: boolean
  /** The short name of the service, or the default for a new one. */
  shortName: string
  /** Additional origins that receive requests with an account's credentials. */
  origins: readonly string[]
  waysFault: string | undefined
  change: (part: Partial<ServiceDraft>) => void
  field: FieldOf
  /** The fields for this server as an OAuth client. */
  client: ReactNode
}

/**
 * The fields of the service form: the service, how accounts are connected, and where to read an account's
 * name.
 */
export function ServiceFields(props: ServiceFieldsProps) {
  const { draft, isNew, shortName, origins, field, client, change } = props
  const reach = ['this origin', ...origins.map(at => new URL(at).host)]
  return (
    <>
      <div className="grid gap-4 mid:grid-cols-2">
        <Field {...field('service')} label="Name" required />
        <Field
          {...field('integration')}
          label="Short name"
          hint={isNew ? "Used by agents and tools. Can't be changed later." : "Can't be changed."}
          placeholder={shortName}
          readOnly={!isNew}
          mono
        />
      </div>
      <Field
        {...field('description')}
        label="Description"
        hint="Describes what agents can do with this service."
      />
      <Ways {...props} />
      {draft.mcp ? null : (
        <Field
          {...field('apiBase')}
          label="API base"
          hint={`Requests with an account's credentials go only to ${and.format(reach)}.${isNew ? '' : ' If you change the API base, accounts must be reconnected.'}`}
          inputMode="url"
          required
          mono
        />
      )}
      {draft.mcp ? (
        <Group title="MCP server">
          <Field
            {...field('mcpUrl')}
            label="MCP server URL"
            hint={`Waystation finds the authorization server and registers automatically.${isNew ? '' : ' If you change the URL, accounts must be reconnected.'}`}
            inputMode="url"
            required
            mono
          />
          <details>
            <summary className="tap max-mid:leading-[44px]">Manually registered client</summary>
            <div className="flex flex-col gap-4 pt-2">{client}</div>
          </details>
        </Group>
      ) : null}
      {draft.apiKey ? (
        <Group title="Token or key">
          <Field
            {...field('label')}
            label="Field label"
            hint="For example: Personal access token."
            required
          />
          <div className="grid gap-4 mid:grid-cols-2">
            <Field {...field('headerName')} label="Header" required mono />
            <Field
              {...field('headerValue')}
              label="Header value"
              hint="{token} is replaced by what the user enters."
              required
              mono
            />
          </div>
        </Group>
      ) : null}
      {draft.oauth && !draft.mcp ? (
        <Group title="OAuth sign-in">
          <Field
            {...field('issuer')}
            label="Issuer"
            hint="The endpoints are discovered from the issuer. Leave empty to enter both yourself."
            inputMode="url"
            mono
          />
          <div className="grid gap-4 mid:grid-cols-2">
            <Field {...field('authorizationEndpoint')} label="Authorization endpoint" inputMode="url" mono />
            <Field {...field('tokenEndpoint')} label="Token endpoint" inputMode="url" mono />
          </div>
          <label className="tap flex items-center gap-2">
            <input
              type="checkbox"
              checked={draft.device}
              onChange={event => change({ device: event.target.checked })}
            />
            Also allow sign-in on another device with a code
          </label>
          {draft.device ? (
            <Field
              {...field('deviceAuthorizationEndpoint')}
              label="Device authorization endpoint"
              hint="Needed only without an issuer."
              inputMode="url"
              mono
            />
          ) : null}
          {client}
        </Group>
      ) : null}
      {draft.mcp ? null : (
        <Group title="Account name">
          <div className="grid gap-4 mid:grid-cols-2">
            <Field
              {...field('accountPath')}
              label="Account path"
              hint="Optional. A path below the API base, such as user. Waystation requests it to get the account's name and to check that the token works."
              mono
            />
            <Field {...field('accountField')} label="Name field" hint="Response field, such as login." mono />
          </div>
        </Group>
      )}
    </>
  )
}

const and = new Intl.ListFormat('en-GB')

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-4">
    <legend className="pb-2 text-person font-semibold">{title}</legend>
    {children}
  </fieldset>
)

function Ways({ draft, waysFault, change }: Pick<ServiceFieldsProps, 'draft' | 'waysFault' | 'change'>) {
  const id = useId()
  const way = (name: 'oauth' | 'apiKey' | 'mcp', label: string) => (
    <label className="tap flex items-center gap-2">
      <input
        type="checkbox"
        name={name}
        checked={draft[name]}
        onChange={({ target: { checked } }) =>
          // An MCP server has its own sign-in, which replaces OAuth. The user can still add a token or key.
          change(name === 'mcp' && checked ? { mcp: true, apiKey: false, oauth: false } : { [name]: checked })
        }
      />
      {label}
    </label>
  )
  return (
    <fieldset aria-describedby={waysFault === undefined ? undefined : id} className="flex flex-col gap-1">
      <legend className="pb-1 text-person font-semibold">How accounts are connected</legend>
      {way('apiKey', 'With a token or API key')}
      {draft.mcp ? null : way('oauth', 'With OAuth sign-in')}
      {way('mcp', 'As an MCP server with its own sign-in')}
      {waysFault === undefined ? null : (
        <p id={id} className="text-fail">
          {waysFault}
        </p>
      )}
    </fieldset>
  )
}
