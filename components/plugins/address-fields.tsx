import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'

/** The address of a plugin as the form has it. Empty fields are not set. */
export type Address = { source: string; pin: string; ca: string }

/** Returns the address as the API takes it. */
export function atOf({ source, pin, ca }: Address): { source: string; pin?: string; ca?: string } {
  const set = Object.entries({ pin, ca }).filter(([, value]) => value.trim() !== '')
  return { source: source.trim(), ...Object.fromEntries(set) }
}

/** The fields for the address of a plugin and for its certificate. */
export const AddressFields = () => (
  <>
    <FormField
      name="source"
      label="Address"
      hint="For example remotes://plugins.example.com:9010. Addresses with remote:// have no TLS."
      inputMode="url"
      required
      mono
    />
    <FormDetails summary="Certificate" summaryClassName="tap font-semibold">
      <div className="flex flex-col gap-4 pt-3">
        <FormField
          name="pin"
          label="Pin"
          hint="SHA-256 fingerprint of the plugin's certificate. Only this certificate is accepted."
          mono
        />
        <FormField
          name="ca"
          label="Certificate authority"
          hint="Certificates in PEM format. Only these authorities are trusted."
          rows={4}
          mono
        />
      </div>
    </FormDetails>
  </>
)
