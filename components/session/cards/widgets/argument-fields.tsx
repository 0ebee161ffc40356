import { useEffect, useId, useState } from 'react'
import type { ArgumentFieldsProps } from '#components/session/store/session-context.ts'
import { Json } from '#components/ui/json.tsx'
import { argumentKind } from './edit-call.tsx'
import { ElicitFieldView } from './elicit-field.tsx'

/** Shows each argument: a text, a number, a boolean or a list of texts in a field, and anything else as JSON. */
export function ArgumentFields({ written, values, wanted, onChange }: ArgumentFieldsProps) {
  const id = useId()
  /** The texts of numbers and lists, because a text such as "1." is not finished. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (wanted) document.querySelector<HTMLElement>(`[id^="${CSS.escape(id)}-"]`)?.focus()
  }, [wanted, id])
  return Object.keys({ ...written, ...values }).map((name, at) => {
    const kind = argumentKind(written[name])
    const value = values[name]
    // An unfinished number is a text, and an emptied list has no texts.
    const fits = typeof (value ?? '') !== 'object' || (kind === 'list' && Array.isArray(value))
    if (kind === undefined || !fits)
      return (
        <div key={name} data-hook="fixed-argument" className="text-ui">
          <Json label={name} value={value} />
        </div>
      )
    const change = (value: unknown) => onChange({ ...values, [name]: value })
    return (
      <ElicitFieldView
        key={name}
        id={`${id}-${at}`}
        field={{
          name,
          label: name,
          ...(kind === 'list' && { hint: 'One per line.' }),
          required: true,
          kind: kind === 'boolean' || kind === 'number' ? kind : 'long',
          type: 'text',
          options: [],
          start: ''
        }}
        value={
          typeof value === 'boolean'
            ? value
            : (texts[name] ?? (Array.isArray(value) ? value.join('\n') : String(value ?? '')))
        }
        fault={kind === 'number' && typeof value === 'string' ? 'Enter a number.' : undefined}
        onChange={value => {
          if (typeof value !== 'string' || (kind !== 'number' && kind !== 'list')) return change(value)
          setTexts({ ...texts, [name]: value })
          if (kind === 'list') return change(value.split('\n').filter(line => line !== ''))
          // The server refuses a text in place of a number.
          change(value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value))
        }}
      />
    )
  })
}
