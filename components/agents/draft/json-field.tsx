import { FormField } from '#components/forms/form-field.tsx'
import { json, type TextFormat } from '#components/forms/text-format.ts'

/** The whole configuration as JSON. While it is open, it is what the form saves. */
export const JsonField = () => (
  <FormField name="json" as={whole} label="Configuration as JSON" hint="As in the API." rows={28} mono />
)

/** JSON that is never unset, so that an empty text stays. */
const whole: TextFormat = { ...json, parse: typed => json.parse(typed) ?? typed }
