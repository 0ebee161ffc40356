import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { useState } from 'react'
import { Field, type FieldProps } from '#components/ui/field.tsx'
import { type TextFormat, text } from './text-format.ts'

type ValueFieldProps = Omit<FieldProps, 'value' | 'onChange'> & {
  value: unknown
  onChange: (value: unknown) => void
  as?: TextFormat
}

/** A text field for a value. `as` is the format of the text, which stays as typed while it means the value. */
export function ValueField({ value, onChange, as = text, ...props }: ValueFieldProps) {
  const [typed, setTyped] = useState<string>()
  const isTyped = typed !== undefined && canonicalJson(as.parse(typed)) === canonicalJson(value)
  return (
    <Field
      {...props}
      value={isTyped ? typed : as.format(value)}
      onChange={next => {
        setTyped(next)
        onChange(as.parse(next))
      }}
    />
  )
}
