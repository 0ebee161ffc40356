import type { ViewBlock, ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { useId, useState } from 'react'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Select } from '#components/ui/select.tsx'
import { listAt, textAt, wordsOf } from './attributes.ts'
import { bodyOf, isRequired, nameOf, type Values } from './form-body.ts'
import { useSend } from './use-send.ts'

/**
 * Attributes: `title`, `submit_label`, `action` and `method`. Each block `field "name" { … }` is an input.
 * Submitting sends the values to `action` (003-13). After a success, the fields have the defaults of the view as the
 * plugin then renders it.
 */
export function ViewForm({ of }: { of: ViewComponent }) {
  const { attributes, blocks } = of
  const id = useId()
  const fields = blocks.filter(({ type, labels }) => type === 'field' && labels.length === 1)
  const [values, setValues] = useState<Values>(() => presetsOf(fields))
  const [sent, setSent] = useState<{ of: ViewComponent; values: Values }>()
  const { body, faults: wrong } = bodyOf(fields, values)
  const { send, busy, said, faults, allowed } = useSend(attributes, body, () => setSent({ of, values }))
  if (sent !== undefined && sent.of !== of) {
    setSent(undefined)
    // The plugin has rendered the view again. Text that the user typed meanwhile stays.
    if (sent.values === values) setValues(presetsOf(fields))
  }
  const [shown, setShown] = useState<Record<string, string>>({})
  const title = textAt(attributes, 'title')
  return (
    <form
      aria-labelledby={title === '' ? undefined : id}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setShown(wrong)
        if (Object.keys(wrong).length === 0) void send()
      }}
      className="flex max-w-[480px] flex-col gap-3"
    >
      {title === '' ? null : (
        <h3 id={id} className="text-person font-semibold">
          {title}
        </h3>
      )}
      {fields.map(field => (
        <FormField
          key={nameOf(field)}
          field={field}
          value={values[nameOf(field)] ?? ''}
          onChange={value => setValues(before => ({ ...before, [nameOf(field)]: value }))}
          fault={shown[nameOf(field)] ?? faults[nameOf(field)]}
        />
      ))}
      <SaveLine
        act={textAt(attributes, 'submit_label') || 'Submit'}
        disabled={busy || !allowed}
        said={said}
      />
    </form>
  )
}

type FormFieldProps = {
  field: ViewBlock
  value: string | boolean
  onChange: (value: string | boolean) => void
  fault: string | undefined
}

function FormField({ field, value, onChange, fault }: FormFieldProps) {
  const { attributes } = field
  const label = textAt(attributes, 'label') || nameOf(field)
  const hint = textAt(attributes, 'description')
  const options = listAt(attributes, 'options').map(wordsOf)
  if (typeof value === 'boolean')
    return (
      <Checkbox checked={value} onChange={onChange} className="font-semibold">
        {label}
      </Checkbox>
    )
  if (options.length > 0)
    return (
      <Labeled label={label} fault={fault}>
        {control => <Select {...control} value={value} onChange={onChange} options={options} />}
      </Labeled>
    )
  const rows = Number(textAt(attributes, 'rows'))
  return (
    <Field
      name={nameOf(field)}
      label={label}
      value={value}
      onChange={onChange}
      {...(hint === '' ? {} : { hint })}
      {...(rows > 1 ? { rows: Math.min(rows, 30) } : {})}
      {...(textAt(attributes, 'type') === 'number' ? { inputMode: 'decimal' as const } : {})}
      placeholder={textAt(attributes, 'placeholder')}
      required={isRequired(field)}
      fault={fault}
    />
  )
}

const presetsOf = (fields: readonly ViewBlock[]): Values =>
  Object.fromEntries(fields.map(field => [nameOf(field), firstOf(field)]))

function firstOf({ attributes }: ViewBlock): string | boolean {
  const preset = textAt(attributes, 'default')
  if (textAt(attributes, 'type') === 'bool') return preset === 'true'
  return preset || wordsOf(listAt(attributes, 'options')[0])
}
