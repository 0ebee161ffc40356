import type { ReactNode } from 'react'
import type { KnownModels } from './known-models.ts'
import { PickOrType } from './pick-or-type.tsx'
import { useFormValue } from './use-form-value.ts'

type ModelPickerProps = {
  /** Without a label, set `aria-label`. */
  label?: ReactNode
  'aria-label'?: string
  hint?: ReactNode
  fault?: string | undefined
  value: string
  onChange: (value: string) => void
  known: KnownModels
  /** The name of the empty value, which is the default model. */
  standard?: string
}

/** A list of the known models. Users can also type any other name. An empty value is the default model. */
export const ModelPicker = ({
  known: { defaultModel, names },
  standard = `default (${defaultModel})`,
  ...props
}: ModelPickerProps) => (
  <PickOrType
    {...props}
    options={[{ value: '', label: standard }, ...names.map(name => ({ value: name, label: name }))]}
    note="No known models. Type a name, such as openai/gpt-5."
  />
)

type FormModelProps = Omit<ModelPickerProps, 'value' | 'onChange' | 'fault'> & {
  name: string
  unset: unknown
}

/** The model picker as a field of the form around it. `unset` is the value for the default model. */
export function FormModel({ name, unset, ...props }: FormModelProps) {
  const { value, onChange, fault } = useFormValue<unknown>(name)
  return (
    <ModelPicker
      {...props}
      fault={fault}
      value={typeof value === 'string' && value !== 'default' ? value : ''}
      onChange={chosen => onChange(chosen === '' ? unset : chosen)}
    />
  )
}
