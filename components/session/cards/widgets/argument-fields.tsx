import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useEffect, useId } from 'react'
import { ElicitFieldView } from './elicit-field.tsx'

type Value = string | number | boolean

const isSimple = (value: unknown): value is Value => /^(string|number|boolean)$/.test(typeof value)

/** Returns the arguments that a field can edit: texts, numbers and booleans. At most 12. */
export const fieldNamesOf = (input: unknown): string[] =>
  isJsonObject(input)
    ? Object.keys(input)
        .filter(name => isSimple(input[name]))
        .slice(0, 12)
    : []

/** Returns the errors of the fields by name: a number must stay a number. While a user types, it is a text. */
export function faultsOf(written: unknown, values: unknown): Record<string, string> {
  if (!isJsonObject(written) || !isJsonObject(values)) return {}
  const wrong = Object.keys(values).filter(
    name => typeof written[name] === 'number' && typeof values[name] === 'string' && !isNumber(values[name])
  )
  return Object.fromEntries(wrong.map(name => [name, 'Enter a number.']))
}

/** Returns the edited arguments with their numbers, which the user typed as texts. */
export function withNumbers(written: unknown, values: unknown): unknown {
  if (!isJsonObject(written) || !isJsonObject(values)) return values
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof written[name] === 'number' && typeof value === 'string' ? Number(value) : value
  ])
  return Object.fromEntries(entries)
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))

type ArgumentFieldsProps = {
  names: readonly string[]
  /** The arguments as the agent wrote them. They decide the kinds of the fields. */
  written: unknown
  values: unknown
  faults: Readonly<Record<string, string>>
  /** The user just opened the editor, so the first field gets the focus. */
  wanted: boolean
  onChange: (values: Record<string, unknown>) => void
}

/** Shows a field for each simple argument. The other arguments stay as they are. */
export function ArgumentFields({ names, written, values, faults, wanted, onChange }: ArgumentFieldsProps) {
  const id = useId()
  useEffect(() => {
    if (wanted) document.getElementById(`${id}-0`)?.focus()
  }, [wanted, id])
  const before = isJsonObject(written) ? written : {}
  const now = isJsonObject(values) ? values : {}
  return names.map((name, at) => {
    const kind = typeof before[name]
    const value = now[name]
    if (value !== undefined && !isSimple(value)) return null
    return (
      <ElicitFieldView
        key={name}
        id={`${id}-${at}`}
        field={{
          name,
          label: name,
          required: true,
          kind: kind === 'boolean' ? 'boolean' : kind === 'number' ? 'number' : 'long',
          type: 'text',
          options: [],
          start: ''
        }}
        value={typeof value === 'boolean' ? value : String(value ?? '')}
        fault={faults[name]}
        onChange={value => onChange({ ...now, [name]: typed(kind, value) })}
      />
    )
  })
}

/** Returns a typed number as a number, unless this would change its text, such as "1." */
const typed = (kind: string, value: unknown) =>
  kind === 'number' && String(Number(value)) === value ? Number(value) : value
