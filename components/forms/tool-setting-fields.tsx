import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import { get } from 'react-hook-form'
import { FieldGroup, FieldRows } from './field-rows.tsx'
import { FormAmount } from './form-amount.tsx'
import { FormDetails } from './form-details.tsx'
import { FormDuration } from './form-duration.tsx'
import { amount } from './text-format.ts'

/** The groups of settings. Each setting has its path, its label, a hint, and the unit of a value that is no time span. */
export const timeouts = {
  title: 'Timeouts',
  about: 'Limits for the tool calls of a session. Waiting for people does not count.',
  fields: [
    ['timeoutSeconds', 'Call timeout', '1 second to 1 hour, for tools without their own.'],
    ['batchTimeoutSeconds', 'Step timeout', '1 second to 1 hour, for all calls of a step.'],
    ['concurrency', 'Parallel calls', '1 to 64. Other calls wait.', 'calls']
  ]
} as const
export const retries = {
  title: 'Model retries',
  about: 'A failed model call is sent again after a random delay, up to these limits.',
  fields: [
    ['retry.maxAttempts', 'Attempts per model call', '1 to 20, including the first.', 'attempts'],
    ['retry.initialDelaySeconds', 'First delay', 'Up to 1 hour.'],
    ['retry.multiplier', 'Delay multiplier', '1 to 10, for each further attempt.', 'times'],
    ['retry.maxDelaySeconds', 'Longest delay', 'Up to 24 hours.'],
    ['retry.maxRetryAfterSeconds', 'Longest requested delay', 'Up to 24 hours, if a provider asks for it.']
  ]
} as const

type ToolSettingFieldsProps = {
  /** The path of the settings in the form. */
  name: string
  /** The values that apply where a field is empty. */
  defaults: ToolLimits
}

/** Timeouts, concurrency, and retries of model calls in the form around it. Few people change retries, so they are folded. */
export const ToolSettingFields = (props: ToolSettingFieldsProps) => (
  <>
    <FieldGroup title={timeouts.title} about={timeouts.about}>
      <SettingRows {...props} group={timeouts} />
    </FieldGroup>
    <FormDetails data-hook="retries" summary={retries.title} summaryClassName="tap font-semibold">
      <p className="py-2 text-muted">{retries.about}</p>
      <SettingRows {...props} group={retries} />
    </FormDetails>
  </>
)

type SettingRowsProps = ToolSettingFieldsProps & { group: typeof timeouts | typeof retries }

/** The fields of a group, for a parent with headings of its own. */
export const SettingRows = ({ name: path, defaults, group }: SettingRowsProps) => (
  <FieldRows>
    {group.fields.map(([name, label, hint, unit]) => {
      const field = { name: `${path}.${name}`, label, hint }
      const standard: number = get(defaults, name)
      return unit === undefined ? (
        <FormDuration key={name} {...field} placeholder={standard} />
      ) : (
        <FormAmount key={name} {...field} unit={unit} placeholder={amount.format(standard)} />
      )
    })}
  </FieldRows>
)
