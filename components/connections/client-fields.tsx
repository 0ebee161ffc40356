import { FormField } from '#components/forms/form-field.tsx'
import { optional, words } from '#components/forms/text-format.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'

type ClientFieldsProps = {
  /** The path of the client in the form. */
  at: 'config.mcp' | 'config.oauth'
  hasClientSecret: boolean
  redirectUri: string | undefined
}

/** The fields for this server as an OAuth client of the provider, and the redirect URI to register there. */
export function ClientFields({ at, hasClientSecret, redirectUri }: ClientFieldsProps) {
  return (
    <>
      {redirectUri === undefined ? null : (
        <div className="flex flex-col gap-1">
          <p className="font-semibold">Redirect URI to register with the provider</p>
          <p className="flex flex-wrap items-baseline gap-x-3">
            <code
              data-hook="redirect-uri"
              className="min-w-0 font-mono text-mono [overflow-wrap:anywhere] select-all"
            >
              {redirectUri}
            </code>
            <CopyButton text={redirectUri} />
          </p>
        </div>
      )}
      <div className="grid gap-4 mid:grid-cols-2">
        <FormField name={`${at}.clientId`} as={optional} label="Client ID" mono />
        <FormField
          name="clientSecret"
          as={optional}
          label="Client secret"
          type="password"
          placeholder={hasClientSecret ? 'stored' : ''}
          hint={
            hasClientSecret
              ? 'A secret is stored, encrypted. Enter a new one to replace it.'
              : 'Stored encrypted and never shown again.'
          }
          mono
        />
      </div>
      <FormField
        name={`${at}.scopes`}
        as={words}
        label="Scopes"
        hint="Separate scopes with spaces. Request only what agents need."
        mono
      />
    </>
  )
}
