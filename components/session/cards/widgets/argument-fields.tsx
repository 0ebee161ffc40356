import { useEffect, useId, useState } from 'react'
import type { ArgumentFieldsProps } from '#components/session/store/session-context.ts'
import { ElicitFieldView } from './elicit-field.tsx'

/** Shows a field for each argument that is a text, a number or a boolean. The other arguments stay as they are. */
export function ArgumentFields({ written, values, wanted, onChange }: ArgumentFieldsProps) {
  const id = useId()
  /** The texts of numbers, because a text such as "1." is not finished. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (wanted) document.getElementById(`${id}-0`)?.focus()
  }, [wanted, id])
  const names = Object.keys(written).filter(name => isSimple(written[name]) && isSimple(values[name] ?? ''))
  return names.map((name, at) => {
    const kind = typeof written[name]
    const value = values[name]
    const change = (value: unknown) => onChange({ ...values, [name]: value })
    return (
      <ElicitFieldView
        key={name}
        id={`${id}-${at}`}
        field={{
          name,
          label: name,
          required: true,
          kind: kind === 'boolean' || kind === 'number' ? kind : 'long',
          type: 'text',
          options: [],
          start: ''
        }}
        value={typeof value === 'boolean' ? value : (texts[name] ?? String(value ?? ''))}
        fault={kind === 'number' && typeof value === 'string' ? 'Enter a number.' : undefined}
        onChange={value => {
          if (kind !== 'number' || typeof value !== 'string') return change(value)
          setTexts({ ...texts, [name]: value })
          // The server refuses a text in place of a number.
          change(value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value))
        }}
      />
    )
  })
}

const isSimple = (value: unknown) => /^(string|number|boolean)$/.test(typeof value)
