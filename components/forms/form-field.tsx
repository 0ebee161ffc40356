import type { FieldProps } from '#components/ui/field.tsx'
import { type TextFormat, text } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'
import { ValueField } from './value-field.tsx'

type FormFieldProps = Omit<FieldProps, 'value' | 'onChange' | 'onBlur' | 'ref' | 'fault'> & {
  as?: TextFormat
}

/** A text field of the form around it. `name` is the path of its value, and `as` the format of the text. */
export function FormField({ name, as = text, ...props }: FormFieldProps) {
  const field = useFormValue<unknown>(name)
  return <ValueField {...props} {...field} name={name} as={as} />
}
