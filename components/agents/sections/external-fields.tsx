import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { amount, names, optional, trimmed } from '#components/forms/text-format.ts'

/** The fields of an external agent: its URLs, its retries and the content that it receives. */
export const ExternalFields = () => (
  <>
    <FormField
      name="external.inputUrl"
      as={trimmed}
      label="Input URL"
      hint="Each message is sent to this URL as JSON, with the callbackUrl for replies."
      inputMode="url"
      required
      mono
    />
    <FormField
      name="external.callbackBaseUrl"
      as={optional}
      label="Callback base URL"
      hint="The URL where the external agent reaches this server, if not its public URL."
      inputMode="url"
      mono
    />
    <FormField
      name="external.checkUrl"
      as={optional}
      label="Check URL"
      hint="The server asks this URL which conversations exist, when someone starts a session."
      inputMode="url"
      mono
    />
    <div className="grid items-start gap-4 mid:grid-cols-2">
      <FormField
        name="external.retries"
        as={amount}
        label="Retries"
        hint="0 to 10. The agent may then receive a message twice."
        inputMode="numeric"
      />
      <FormField
        name="external.history"
        as={amount}
        label="Earlier messages"
        hint="0 to 50. Sent with the first message of a session."
        inputMode="numeric"
      />
    </div>
    <FormField
      name="external.redact"
      as={names}
      label="Redacted fields"
      hint="Field names, separated by commas. Their values are replaced in active items."
      mono
    />
    <FormCheckbox name="external.activeItem" on="everyMessage" off="onChange" fallback="onChange">
      Send the active item's content with every message, not only after a change
    </FormCheckbox>
  </>
)
