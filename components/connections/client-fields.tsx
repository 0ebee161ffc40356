'use client'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Field } from '#components/ui/field.tsx'
import type { Named } from './service-draft.ts'

/** Returns the props of `Field` for a field of the form. */
export type FieldOf = (name: Named) => {
  name: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

type ClientFieldsProps = { field: FieldOf; hasClientSecret: boolean; redirectUri: string | undefined }

/** The fields for this server as an OAuth client of the provider, and the redirect URI to register there. */
export function ClientFields({ field, hasClientSecret, redirectUri }: ClientFieldsProps) {
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
        <Field {...field('clientId')} label="Client ID" mono />
        <Field
          {...field('clientSecret')}
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
      <Field
        {...field('scopes')}
        label="Scopes"
        hint="Separate scopes with spaces. Request only what agents need."
        mono
      />
    </>
  )
}
