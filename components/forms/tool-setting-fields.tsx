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
      ['timeoutSeconds', 'Call timeout', 'seconds', '1 s to 1 h, for tools without their own.'],
      ['batchTimeoutSeconds', 'Step timeout', 'seconds', '1 s to 1 h, for all calls of a step.'],
      ['concurrency', 'Parallel calls', 'calls', '1 to 64. Other calls wait.']
    ]
  },
  {
    title: 'Model retries',
    about: 'A failed model call is sent again after a random delay, up to these limits.',
    fields: [
      ['retry.maxAttempts', 'Attempts per model call', 'attempts', '1 to 20, including the first.'],
      ['retry.initialDelaySeconds', 'First delay', 'seconds', '0 s to 1 h.'],
      ['retry.multiplier', 'Delay multiplier', 'times', '1 to 10, for each further attempt.'],
      ['retry.maxDelaySeconds', 'Longest delay', 'seconds', '0 s to 24 h.'],
      [
        'retry.maxRetryAfterSeconds',
        'Longest requested delay',
        'seconds',
        '0 s to 24 h, if a provider asks for it.'
      ]
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
      <FormDetails
        data-hook="retries"
        summary={retries.title}
        className="pt-6"
        summaryClassName="tap text-person font-semibold"
      >
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
