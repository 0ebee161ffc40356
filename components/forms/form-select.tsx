import type { ReactNode } from 'react'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { useFormValue } from './use-form-value.ts'

type FormSelectProps<Value extends string> = {
  name: string
  label: ReactNode
  hint?: ReactNode
  /** The meaning of an unset value. An empty fallback always unsets the value. */
  fallback: Value
  options: readonly { value: Value; label: string }[]
  'data-hook'?: string
}

/** A list of the form around it, from which the user selects one value. */
export function FormSelect<Value extends string>({
  name,
  label,
  hint,
  fallback,
  ...props
}: FormSelectProps<Value>) {
  const { fault, onChange, ...field } = useFormValue<Value>(name, fallback)
  return (
    <Labeled label={label} hint={hint} fault={fault}>
      {control => (
        <Select
          {...props}
          {...field}
          {...control}
          name={name}
          onChange={value => onChange(value === '' ? undefined : value)}
          className="w-full"
        />
      )}
    </Labeled>
  )
}
