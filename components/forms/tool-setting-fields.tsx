import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import { get } from 'react-hook-form'
import { FieldGroup, FieldRows } from './field-rows.tsx'
import { FormAmount } from './form-amount.tsx'
import { FormDetails } from './form-details.tsx'
import { amount } from './text-format.ts'

/** The groups of settings. Each setting has its path, its label, its unit and a hint. */
const groups = [
  {
    title: 'Timeouts',
    about: 'Limits for the tool calls of a session. Waiting for people does not count.',
    fields: [
      ['timeoutSeconds', 'Call timeout', 'seconds', "For tools that don't set their own."],
      ['batchTimeoutSeconds', 'Step timeout', 'seconds', 'For all calls of a step.'],
      ['concurrency', 'Parallel calls', 'calls', 'Other calls wait until one ends.']
    ]
  },
  {
    title: 'Retries',
    about: 'A failed model call is sent again after a random delay, up to these limits.',
    fields: [
      ['retry.maxAttempts', 'Attempts per model call', 'attempts', 'Including the first one.'],
      ['retry.initialDelaySeconds', 'First delay', 'seconds', undefined],
      ['retry.multiplier', 'Delay multiplier', 'times', 'For each further attempt.'],
      ['retry.maxDelaySeconds', 'Longest delay', 'seconds', undefined],
      ['retry.maxRetryAfterSeconds', 'Longest Retry-After', 'seconds', 'If the provider asks for a delay.']
    ]
  }
] as const

type ToolSettingFieldsProps = {
  /** The path of the settings in the form. */
  name: string
  /** The values that apply where a field is empty. */
  defaults: ToolLimits
}

/** Timeouts, concurrency, and retries of model calls in the form around it. Few people change retries, so they are folded. */
export function ToolSettingFields(props: ToolSettingFieldsProps) {
  const [timeouts, retries] = groups
  return (
    <>
      <FieldGroup title={timeouts.title} about={timeouts.about}>
        <Fields {...props} fields={timeouts.fields} />
      </FieldGroup>
      <FormDetails data-hook="retries" summary={retries.title} summaryClassName="tap font-semibold">
        <p className="py-2 text-muted">{retries.about}</p>
        <Fields {...props} fields={retries.fields} />
      </FormDetails>
    </>
  )
}

type FieldsProps = ToolSettingFieldsProps & { fields: (typeof groups)[number]['fields'] }

const Fields = ({ name: path, defaults, fields }: FieldsProps) => (
  <FieldRows>
    {fields.map(([name, label, unit, hint]) => (
      <FormAmount
        key={name}
        name={`${path}.${name}`}
        label={label}
        unit={unit}
        hint={hint}
        placeholder={amount.format(get(defaults, name))}
      />
    ))}
  </FieldRows>
)
