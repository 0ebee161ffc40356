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
        <label className="tap flex items-baseline gap-2">
          <input
            {...shared}
            type="checkbox"
            checked={props.value === true}
            onChange={event => props.onChange(event.target.checked)}
            className="shrink-0 translate-y-0.5"
          />
          <span>{label}</span>
        </label>
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

function Entry({ field, value, fault, onChange, shared }: ElicitFieldProps & { shared: object }) {
  const look = `tap h-[30px] w-full min-w-0 rounded-sm border bg-panel px-2 text-person ${fault ? 'border-fail' : 'border-rail'}`
  if (field.kind === 'one')
    return (
      <select
        {...shared}
        value={String(value)}
        onChange={event => onChange(event.target.value)}
        className={look}
      >
        {field.required && value !== '' ? null : <option value="">{field.required ? 'Choose…' : '–'}</option>}
        {field.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )
  return (
    <input
      {...shared}
      type={field.type}
      {...(field.kind === 'number' ? { inputMode: 'decimal' as const } : {})}
      value={String(value)}
      onChange={event => onChange(event.target.value)}
      autoComplete="off"
      className={look}
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
        <label key={option.value} className="tap flex items-baseline gap-2">
          <input
            type="checkbox"
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
            className="shrink-0 translate-y-0.5"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
