import { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { FormSelect } from './form-select.tsx'

const modes = [
  { value: 'on', label: 'On' },
  { value: 'approve', label: 'Ask first' },
  { value: 'off', label: 'Off' }
]
const priorities = OobPriority.options.map(value => ({
  value,
  label: `${value[0]?.toUpperCase()}${value.slice(1)}`
}))
const unset = { value: '', label: 'Workspace default' }

/**
 * The default policy for out-of-band messages in the form around it. An unset value is the built-in default, or
 * with `inherits` the workspace's.
 */
export const OobPolicyFields = ({ inherits = false }: { inherits?: boolean }) => (
  <>
    <FormSelect
      name="outOfBand.mode"
      fallback={inherits ? '' : 'on'}
      label="Incoming signals"
      hint="“Ask first” waits for a person's approval."
      options={inherits ? [unset, ...modes] : modes}
      data-hook="oob-mode"
    />
    <FormSelect
      name="outOfBand.minPriority"
      fallback={inherits ? '' : 'low'}
      label="Minimum priority"
      hint="Signals below it are rejected."
      options={inherits ? [unset, ...priorities] : priorities}
      data-hook="oob-min-priority"
    />
  </>
)
