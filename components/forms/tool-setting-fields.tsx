import { FieldRows } from './field-rows.tsx'
import { FormField } from './form-field.tsx'
import { amount } from './text-format.ts'

const fields = [
  {
    name: 'timeoutSeconds',
    label: 'Call timeout (seconds)',
    hint: "For tools that don't set their own timeout."
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'Step timeout (seconds)',
    hint: "For all calls of a step. Time spent waiting for people doesn't count."
  },
  {
    name: 'concurrency',
    label: 'Parallel calls',
    hint: 'Per session. Other calls wait until one ends.'
  },
  {
    name: 'retry.maxAttempts',
    label: 'Attempts per model call',
    hint: 'Including the first one.'
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First retry delay (seconds)',
    hint: 'Maximum delay. The actual delay is random (full jitter).'
  },
  {
    name: 'retry.multiplier',
    label: 'Delay multiplier',
    hint: 'Each retry multiplies the maximum delay by this factor.'
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Maximum retry delay (seconds)',
    hint: 'The delay never grows beyond this.'
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Maximum Retry-After (seconds)',
    hint: 'The longest wait that a provider can request.'
  }
]

type ToolSettingFieldsProps = {
  /** The path of the settings in the form. */
  name: string
  /** Returns the text of an empty field. */
  placeholder: (setting: string) => string
}

/** Timeouts, concurrency, and retries of model calls in the form around it. */
export const ToolSettingFields = ({ name: path, placeholder }: ToolSettingFieldsProps) => (
  <FieldRows>
    {fields.map(({ name, ...field }) => (
      <FormField
        key={name}
        {...field}
        name={`${path}.${name}`}
        as={amount}
        placeholder={placeholder(name)}
        inputMode="decimal"
      />
    ))}
  </FieldRows>
)
