import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { useState } from 'react'
import { Field, type FieldProps } from '#components/ui/field.tsx'
import { type TextFormat, text } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'

type FormFieldProps = Omit<FieldProps, 'value' | 'onChange' | 'onBlur' | 'ref' | 'fault'> & {
  as?: TextFormat
}

/**
 * A text field of the form around it. `name` is the path of its value, and `as` the format of the text. The
 * text stays as typed while it means the form's value.
 */
export function FormField({ name, as = text, ...props }: FormFieldProps) {
  const { value, onChange, ...field } = useFormValue<unknown>(name)
  const [typed, setTyped] = useState<string>()
  const isTyped = typed !== undefined && canonicalJson(as.parse(typed)) === canonicalJson(value)
  return (
    <Field
      {...props}
      {...field}
      name={name}
      value={isTyped ? typed : as.format(value)}
      onChange={next => {
        setTyped(next)
        onChange(as.parse(next))
      }}
    />
  )
}
