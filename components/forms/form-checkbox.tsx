import type { ReactNode } from 'react'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { useFormValue } from './use-form-value.ts'

type FormCheckboxProps = {
  name: string
  /** The values of the checked and the cleared box. By default, they are true and false. */
  on?: string | true
  off?: string | false
  /** The meaning of an unset value. */
  fallback?: string | boolean
  /** Called after a change. */
  onChange?: (checked: boolean) => void
  className?: string
  children: ReactNode
}

/** A checkbox of the form around it, for a value with two options. */
export function FormCheckbox(props: FormCheckboxProps) {
  const { name, on = true, off = false, fallback, onChange, ...rest } = props
  const { value, onChange: change, ref } = useFormValue<string | boolean>(name, fallback)
  return (
    <Checkbox
      {...rest}
      ref={ref}
      name={name}
      checked={value === on}
      onChange={checked => {
        change(checked ? on : off)
        onChange?.(checked)
      }}
    />
  )
}
