'use client'
import { type ReactNode, useId } from 'react'
import { Field } from '#components/settings/field.tsx'
import type { FieldOf } from './client-fields.tsx'
import type { ServiceDraft } from './service-draft.ts'

type ServiceFieldsProps = {
  draft: ServiceDraft
  isNew: boolean
  /** The name that it has, or will have if nobody writes another. */
  shortName: string
  /** Where requests with an account go beside the API base’s origin. */
  origins: readonly string[]
  waysFault: string | undefined
  change: (part: Partial<ServiceDraft>) => void
  field: FieldOf
  /** How this server is registered there. */
  client: ReactNode
}

/** Everything of a service that is set by hand: what it is, how accounts are connected, and how one tells whose. */
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
          hint={isNew ? 'Agents and tools call it so. It stays.' : 'It stays.'}
          placeholder={shortName}
          readOnly={!isNew}
          mono
        />
      </div>
      <Field {...field('description')} label="Description" hint="What agents can do there." />
      <Ways {...props} />
      {draft.mcp ? null : (
        <Field
          {...field('apiBase')}
          label="API base"
          hint={`Requests with an account go to ${and.format(reach)} only.${isNew ? '' : ' Another one ends the connections until they are made again.'}`}
          inputMode="url"
          required
          mono
        />
      )}
      {draft.mcp ? (
        <Group title="The MCP server">
          <Field
            {...field('mcpUrl')}
            label="Address of the MCP server"
            hint={`Who gives tokens for it is looked up there, and this server registers itself.${isNew ? '' : ' Another address ends the connections until they are made again.'}`}
            inputMode="url"
            required
            mono
          />
          <details>
            <summary className="tap max-mid:leading-[44px]">A client that was registered by hand</summary>
            <div className="flex flex-col gap-4 pt-2">{client}</div>
          </details>
        </Group>
      ) : null}
      {draft.apiKey ? (
        <Group title="What is entered">
          <Field
            {...field('label')}
            label="What is asked for"
            hint="Such as Personal access token."
            required
          />
          <div className="grid gap-4 mid:grid-cols-2">
            <Field {...field('headerName')} label="Header" required mono />
            <Field
              {...field('headerValue')}
              label="Value of the header"
              hint="What is entered stands for {token}."
              required
              mono
            />
          </div>
        </Group>
      ) : null}
      {draft.oauth && !draft.mcp ? (
        <Group title="Signing in there">
          <Field
            {...field('issuer')}
            label="Issuer"
            hint="The rest is looked up there. Empty: say both endpoints."
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
              className="accent-ink"
            />
            Also by a code that is entered there, on any device
          </label>
          {draft.device ? (
            <Field
              {...field('deviceAuthorizationEndpoint')}
              label="Device authorization endpoint"
              hint="Only without an issuer."
              inputMode="url"
              mono
            />
          ) : null}
          {client}
        </Group>
      ) : null}
      {draft.mcp ? null : (
        <Group title="Whose account it is">
          <div className="grid gap-4 mid:grid-cols-2">
            <Field
              {...field('accountPath')}
              label="Address to ask"
              hint="Its answer says whose account it is. Below the API base, such as user; what is entered is checked there. May be empty."
              mono
            />
            <Field {...field('accountField')} label="Field with the name" hint="Such as login." mono />
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
          // Its own consent is the only one of an MCP server; a fixed key may still stand beside it.
          change(name === 'mcp' && checked ? { mcp: true, apiKey: false, oauth: false } : { [name]: checked })
        }
        className="accent-ink"
      />
      {label}
    </label>
  )
  return (
    <fieldset aria-describedby={waysFault === undefined ? undefined : id} className="flex flex-col gap-1">
      <legend className="pb-1 text-person font-semibold">How accounts are connected</legend>
      {way('apiKey', 'With a token or key that is entered')}
      {draft.mcp ? null : way('oauth', 'By signing in there and agreeing (OAuth)')}
      {way('mcp', 'It is an MCP server, which asks for consent itself')}
      {waysFault === undefined ? null : (
        <p id={id} className="text-fail">
          {waysFault}
        </p>
      )}
    </fieldset>
  )
}
