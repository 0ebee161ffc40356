import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { hintOf } from './plugin-words.ts'
import { type FindOptions, labeledOptions, SettingOptions } from './setting-options.tsx'

type SettingProps = {
  field: SettingField
  /** The path of the value in the form. */
  name: string
  /** True if the workspace file sets the value. The value is then not shown and cannot be changed. */
  fixed: boolean
  readOnly: boolean
  /** Finds the field's options on the server. */
  find: FindOptions
}

/** One setting of a plugin, as a control of the type that the manifest declares (003-5). */
export function Setting({ field, name: at, fixed, readOnly, find }: SettingProps) {
  const { name, ui_type: kind, type, required, default: preset } = field
  const { value, onChange, ref, fault } = useFormValue<string>(at)
  const isPicked = kind === 'radio' || kind === 'checkbox'
  const hint = hintOf(field, !fixed && !isPicked)
  const label = (
    <>
      <VisibleText text={name} />
      {required ? <span className="font-normal text-muted"> · required</span> : null}
      {fixed ? <span className="font-normal text-muted"> · set by the workspace file</span> : null}
    </>
  )
  const shared = { value: fixed ? '' : value, readOnly: readOnly || fixed }
  const picked = shared.value === '' ? preset : shared.value
  const options = labeledOptions(type === 'bool' ? { ...field, options: ['true', 'false'] } : field)
  return (
    <div data-setting={name} data-fixed={fixed || undefined}>
      <Labeled
        label={isPicked ? undefined : label}
        hint={hint === '' ? undefined : <VisibleText text={hint} />}
        fault={fault}
      >
        {control =>
          kind === 'radio' ? (
            <RadioList
              legend={label}
              value={picked}
              onChange={onChange}
              options={options}
              disabled={shared.readOnly}
              aria-describedby={control['aria-describedby']}
              className="flex flex-wrap gap-x-6 gap-y-1"
            />
          ) : kind === 'checkbox' ? (
            <Checkbox
              {...control}
              ref={ref}
              checked={picked === 'true'}
              disabled={shared.readOnly}
              onChange={checked => onChange(String(checked))}
              className="font-semibold"
            >
              {label}
            </Checkbox>
          ) : kind === 'select' ? (
            <SettingOptions {...control} {...shared} onChange={onChange} field={field} find={find} />
          ) : (
            <Input
              {...control}
              {...shared}
              ref={ref}
              inputMode={kind === 'number' ? 'decimal' : undefined}
              placeholder={field.placeholder ?? preset}
              aria-required={required}
              spellCheck={false}
              onChange={event => onChange(event.target.value)}
            />
          )
        }
      </Labeled>
    </div>
  )
}
