import { Checkbox } from '#components/ui/checkbox.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { GrowingText } from '#components/ui/text-area.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import type { ElicitField, FieldValue } from './elicit-fields.ts'

type ElicitFieldProps = {
  id: string
  field: ElicitField
  value: FieldValue
  fault: string | undefined
  onChange: (value: FieldValue) => void
}

/** Shows one field of an MCP server's form: its label, hint, input and error. */
export function ElicitFieldView(props: ElicitFieldProps) {
  const { id, field, fault } = props
  return (
    <div className="flex min-w-0 flex-col gap-1 text-ui">
      <Control {...props} />
      {field.hint ? (
        <p id={`${id}-hint`} className="text-muted [overflow-wrap:anywhere]">
          <VisibleText text={field.hint} />
        </p>
      ) : null}
      {fault ? (
        <p id={`${id}-fault`} data-hook="field-fault" className="text-fail">
          {fault}
        </p>
      ) : null}
    </div>
  )
}

/** Shows the label and the input: a checkbox, a list of checkboxes, a list of options or a text field. */
function Control({ id, field, value, fault, onChange }: ElicitFieldProps) {
  const described =
    [field.hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined
  const shared = { id, 'aria-invalid': fault !== undefined, 'aria-describedby': described }
  const label = (
    <>
      <span data-hook="field-name" className="font-semibold">
        <VisibleText text={field.label} />
      </span>
      {field.required || field.kind === 'boolean' ? null : <span className="text-muted"> (optional)</span>}
    </>
  )
  if (field.kind === 'boolean')
    return (
      <Checkbox {...shared} checked={value === true} onChange={onChange} className="items-baseline">
        {label}
      </Checkbox>
    )
  if (field.kind === 'many') {
    const chosen = Array.isArray(value) ? value : []
    const toggle = (option: string) =>
      onChange(chosen.includes(option) ? chosen.filter(one => one !== option) : [...chosen, option])
    return (
      <fieldset id={id} tabIndex={-1} aria-describedby={described} className="flex flex-col gap-1">
        <legend className="pb-1">{label}</legend>
        {field.options.map(option => (
          <Checkbox
            key={option.value}
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
            className="items-baseline"
          >
            {option.label}
          </Checkbox>
        ))}
      </fieldset>
    )
  }
  const none = { value: '', label: field.required ? 'Choose…' : '–' }
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {field.kind === 'one' ? (
        <Select
          {...shared}
          value={String(value)}
          onChange={onChange}
          options={field.required && value !== '' ? field.options : [none, ...field.options]}
          className="w-full text-person"
        />
      ) : field.kind === 'long' ? (
        <GrowingText
          {...shared}
          value={String(value)}
          onChange={event => onChange(event.target.value)}
          rows={1}
          spellCheck={false}
          className="max-h-40 min-h-[30px] w-full rounded-sm border border-rail bg-ground px-2 py-1 text-person"
        />
      ) : (
        <Input
          {...shared}
          type={field.type}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          value={String(value)}
          onChange={event => onChange(event.target.value)}
          className="w-full text-person"
        />
      )}
    </>
  )
}
