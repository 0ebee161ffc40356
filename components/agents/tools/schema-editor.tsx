import { type ReactNode, useState } from 'react'
import { json, type TextFormat } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Parameter, parametersOf, parameterTypes, schemaOf } from './schema-parameters.ts'

/** JSON that is never unset, because the schema is required. */
const required: TextFormat = { ...json, parse: typed => json.parse(typed) ?? typed }

type SchemaEditorProps = {
  name: string
  label: ReactNode
  value: unknown
  onChange: (schema: unknown) => void
  fault: string | undefined
}

/** Edits the JSON Schema of an object as a list of parameters. Other schemas are edited as JSON. */
export function SchemaEditor({ name, label, value, onChange, fault }: SchemaEditorProps) {
  const parameters = parametersOf(value)
  const [asJson, setAsJson] = useState(parameters === undefined)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" data-hook="schema">
      <legend className="pb-1 font-semibold">{label}</legend>
      {asJson || parameters === undefined ? (
        <ValueField
          name={name}
          value={value}
          onChange={onChange}
          fault={fault}
          as={required}
          label={<span className="sr-only">Schema as JSON</span>}
          hint="A JSON Schema of the type object."
          rows={8}
          mono
        />
      ) : (
        <Parameters parameters={parameters} onChange={next => onChange(schemaOf(next, value))} />
      )}
      <Button
        tone="quiet"
        className="self-start"
        disabled={asJson && parameters === undefined}
        onClick={() => setAsJson(!asJson)}
      >
        {asJson ? 'Edit as a list' : 'Edit as JSON'}
      </Button>
    </fieldset>
  )
}

type ParametersProps = {
  parameters: readonly Parameter[]
  onChange: (parameters: readonly Parameter[]) => void
}

/** The list keeps what the user types, because two arguments can have the same name for a moment. */
function Parameters({ parameters, onChange }: ParametersProps) {
  const [rows, setRows] = useState<readonly (Parameter & { key: number })[]>(() =>
    parameters.map((parameter, key) => ({ ...parameter, key }))
  )
  const [nextKey, setNextKey] = useState(rows.length)
  const update = (next: typeof rows) => {
    setRows(next)
    onChange(next.map(({ key: _, ...parameter }) => parameter))
  }
  const change = (key: number, part: Partial<Parameter>) =>
    update(rows.map(row => (row.key === key ? { ...row, ...part } : row)))
  const add = () => {
    setNextKey(nextKey + 1)
    update([...rows, { key: nextKey, name: '', type: 'string', description: '', isRequired: true }])
  }
  return (
    <>
      {rows.length === 0 ? <p className="text-muted">The tool takes no arguments.</p> : null}
      <ul className="flex flex-col gap-2">
        {rows.map(({ key, name, type, description, isRequired }, index) => (
          <li
            key={key}
            className="grid items-center gap-2 max-mid:border-b max-mid:pb-2 mid:grid-cols-[10rem_7rem_minmax(0,1fr)_auto_auto]"
          >
            <Input
              aria-label={`Name of argument ${index + 1}`}
              placeholder="name"
              mono
              value={name}
              onChange={event => change(key, { name: event.target.value })}
            />
            <Select
              aria-label={`Type of argument ${index + 1}`}
              value={type}
              options={parameterTypes}
              onChange={type => change(key, { type })}
            />
            <Input
              aria-label={`Description of argument ${index + 1}`}
              placeholder="description for the model"
              value={description}
              onChange={event => change(key, { description: event.target.value })}
            />
            <Checkbox checked={isRequired} onChange={() => change(key, { isRequired: !isRequired })}>
              required
            </Checkbox>
            <Button
              className="justify-self-start"
              onClick={() => update(rows.filter(row => row.key !== key))}
            >
              Remove<span className="sr-only"> argument {index + 1}</span>
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-fail empty:hidden">
        {problemOf(rows)}
      </p>
      <Button className="self-start" data-hook="add-parameter" onClick={add}>
        Add argument
      </Button>
    </>
  )
}

/** Says which arguments are not part of the schema. */
function problemOf(rows: readonly Parameter[]): string {
  const names = rows.map(({ name }) => name.trim())
  if (names.some((name, at) => name !== '' && names.indexOf(name) !== at))
    return 'Two arguments have the same name. Only the last one is used.'
  return names.includes('') ? 'An argument without a name is not used.' : ''
}
