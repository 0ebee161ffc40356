import { type ReactNode, useState } from 'react'
import { Combobox, type Option } from '#components/ui/combobox.tsx'
import { type ControlProps, Labeled } from '#components/ui/field.tsx'
import type { KnownModels } from './known-models.ts'
import { useFormValue } from './use-form-value.ts'

type ModelPickerProps = ControlProps & {
  value: string
  onChange: (value: string) => void
  known: KnownModels
}

/** A list of the known models. Users can also type any other name. An empty value is the default model. */
export function ModelPicker({ known: { defaultModel, names }, ...props }: ModelPickerProps) {
  const [words, setWords] = useState('')
  const typed = words.trim()
  const fitting = names.filter(name => name.toLowerCase().includes(typed.toLowerCase()))
  const options: Option[] = [
    ...fitting.map(name => ({ value: name, label: name })),
    ...(typed === '' || names.includes(typed) ? [] : [{ value: typed, label: typed }])
  ]
  return (
    <Combobox
      {...props}
      options={options}
      onSearch={setWords}
      note="No known models. Type a name, such as openai/gpt-5."
      placeholder={`default (${defaultModel})`}
    />
  )
}

type FormModelProps = { name: string; label: ReactNode; hint?: ReactNode; known: KnownModels; unset: unknown }

/** The model picker as a field of the form around it. `unset` is the value for the default model. */
export function FormModel({ name, label, hint, known, unset }: FormModelProps) {
  const { value, onChange, fault } = useFormValue<unknown>(name)
  return (
    <Labeled label={label} hint={hint} fault={fault}>
      {control => (
        <ModelPicker
          {...control}
          known={known}
          value={typeof value === 'string' && value !== 'default' ? value : ''}
          onChange={chosen => onChange(chosen === '' ? unset : chosen)}
        />
      )}
    </Labeled>
  )
}
