import { type ReactNode, useState } from 'react'
import { Combobox, type Option } from '#components/ui/combobox.tsx'
import { Labeled } from '#components/ui/field.tsx'

type PickOrTypeProps = {
  /** Without a label, set `aria-label`. */
  label?: ReactNode
  'aria-label'?: string
  'data-hook'?: string
  hint?: ReactNode
  fault?: string | undefined
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  /** Shown instead of an empty list. */
  note: string
  /** Shown instead of an empty value. */
  placeholder?: string
}

/** A list of options, which users search by typing. They can also select the typed text. */
export function PickOrType({
  label,
  hint,
  fault,
  options,
  placeholder = 'Select…',
  ...props
}: PickOrTypeProps) {
  const [words, setWords] = useState('')
  const typed = words.trim()
  const fitting = options.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const isKnown = typed === '' || options.some(option => option.value === typed)
  return (
    <Labeled label={label} hint={hint} fault={fault}>
      {control => (
        <Combobox
          {...props}
          {...control}
          options={isKnown ? fitting : [...fitting, { value: typed, label: typed }]}
          onSearch={setWords}
          placeholder={placeholder}
        />
      )}
    </Labeled>
  )
}
