import { Checkbox } from '#components/ui/checkbox.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
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
  const described = [...(field.hint ? [`${id}-hint`] : []), ...(fault ? [`${id}-fault`] : [])].join(' ')
  const shared = {
    id,
    'aria-invalid': fault !== undefined,
    'aria-describedby': described || undefined
  }
  const label = (
    <>
      <span data-hook="field-name" className="font-semibold">
        <VisibleText text={field.label} />
      </span>
      {field.required || field.kind === 'boolean' ? null : <span className="text-muted"> (optional)</span>}
    </>
  )
  return (
    <div className="flex min-w-0 flex-col gap-1 text-ui">
      {field.kind === 'boolean' ? (
        <Checkbox
          {...shared}
          checked={props.value === true}
          onChange={props.onChange}
          className="items-baseline"
        >
          {label}
        </Checkbox>
      ) : field.kind === 'many' ? (
        <Several {...props} described={described} label={label} />
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          <Entry {...props} shared={shared} />
        </>
      )}
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

function Entry({ field, value, onChange, shared }: ElicitFieldProps & { shared: object }) {
  if (field.kind === 'one') {
    const none = { value: '', label: field.required ? 'Choose…' : '–' }
    return (
      <Select
        {...shared}
        value={String(value)}
        onChange={onChange}
        options={field.required && value !== '' ? field.options : [none, ...field.options]}
        className="w-full text-person"
      />
    )
  }
  return (
    <Input
      {...shared}
      type={field.type}
      {...(field.kind === 'number' ? { inputMode: 'decimal' as const } : {})}
      value={String(value)}
      onChange={event => onChange(event.target.value)}
      className="w-full text-person"
    />
  )
}

/** Shows a list of choices as checkboxes. */
function Several({
  id,
  field,
  value,
  onChange,
  described,
  label
}: ElicitFieldProps & { described: string; label: React.ReactNode }) {
  const chosen = Array.isArray(value) ? value : []
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter(one => one !== option) : [...chosen, option])
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={described || undefined} className="flex flex-col gap-1">
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
