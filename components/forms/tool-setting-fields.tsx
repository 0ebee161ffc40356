import { FieldRows } from './field-rows.tsx'
import { FormAmount } from './form-amount.tsx'

const fields = [
  {
    name: 'timeoutSeconds',
    label: 'Call timeout',
    unit: 'seconds',
    hint: "For tools that don't set their own timeout."
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'Step timeout',
    unit: 'seconds',
    hint: "For all calls of a step. Time spent waiting for people doesn't count."
  },
  {
    name: 'concurrency',
    label: 'Parallel calls',
    unit: 'calls',
    hint: 'Per session. Other calls wait until one ends.'
  },
  {
    name: 'retry.maxAttempts',
    label: 'Attempts per model call',
    unit: 'attempts',
    hint: 'Including the first one.'
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First retry delay',
    unit: 'seconds',
    hint: 'Maximum delay. The actual delay is random (full jitter).'
  },
  {
    name: 'retry.multiplier',
    label: 'Delay multiplier',
    unit: 'times',
    hint: 'Each retry multiplies the maximum delay by this factor.'
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Maximum retry delay',
    unit: 'seconds',
    hint: 'The delay never grows beyond this.'
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Maximum Retry-After',
    unit: 'seconds',
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
      <FormAmount key={name} {...field} name={`${path}.${name}`} placeholder={placeholder(name)} />
    ))}
  </FieldRows>
)
