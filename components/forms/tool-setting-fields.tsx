import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import { get } from 'react-hook-form'
import { FieldRows } from './field-rows.tsx'
import { FormAmount } from './form-amount.tsx'

/** The path of each setting, its label, its unit and a hint. */
const fields = [
  ['timeoutSeconds', 'Call timeout', 'seconds', "For tools that don't set their own timeout."],
  ['batchTimeoutSeconds', 'Step timeout', 'seconds', 'For all calls of a step, without waiting for people.'],
  ['concurrency', 'Parallel calls', 'calls', 'Per session. Other calls wait until one ends.'],
  ['retry.maxAttempts', 'Attempts per model call', 'attempts', 'Including the first one.'],
  ['retry.initialDelaySeconds', 'First retry delay', 'seconds', 'The maximum. The actual delay is random.'],
  ['retry.multiplier', 'Delay multiplier', 'times', 'Each retry multiplies the maximum delay.'],
  ['retry.maxDelaySeconds', 'Maximum retry delay', 'seconds', undefined],
  [
    'retry.maxRetryAfterSeconds',
    'Maximum Retry-After',
    'seconds',
    'The longest wait that a provider can request.'
  ]
] as const

type ToolSettingFieldsProps = {
  /** The path of the settings in the form. */
  name: string
  /** The values that apply where a field is empty. */
  defaults: ToolLimits
}

/** Timeouts, concurrency, and retries of model calls in the form around it. */
export const ToolSettingFields = ({ name: path, defaults }: ToolSettingFieldsProps) => (
  <FieldRows>
    {fields.map(([name, label, unit, hint]) => (
      <FormAmount
        key={name}
        name={`${path}.${name}`}
        label={label}
        unit={unit}
        hint={hint}
        placeholder={String(get(defaults, name))}
      />
    ))}
  </FieldRows>
)
