'use client'
import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import { type ReactNode, useId } from 'react'
import { Combobox } from '#components/ui/combobox.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { type FindOptions, useOptions } from './use-options.ts'

type SettingProps = {
  field: SettingField
  value: string
  onChange: (value: string) => void
  /** True if the workspace file sets the value. The value is then not shown and cannot be changed. */
  fixed: boolean
  fault: string | undefined
  readOnly: boolean
  /** Finds options of the field on the server. */
  find: FindOptions
}

/** One setting of a plugin, as a control of the type that the manifest declares (003-5). */
export function Setting({ field, fault, fixed, ...rest }: SettingProps) {
  const id = useId()
  const { name, ui_type: kind, description, required, default: preset } = field
  const isPicked = kind === 'radio' || kind === 'checkbox'
  const hint = [
    ...(description === undefined ? [] : [description]),
    ...(name.endsWith('_env') ? ['Enter the name of an environment variable, not the secret itself.'] : []),
    ...(preset === undefined || fixed || isPicked ? [] : [`Default: ${preset}.`])
  ].join(' ')
  const described =
    [...(hint === '' ? [] : [`${id}-hint`]), ...(fault ? [`${id}-fault`] : [])].join(' ') || undefined
  const label = (
    <>
      <VisibleText text={name} />
      {required ? <span className="font-normal text-muted"> · required</span> : null}
      {fixed ? <span className="font-normal text-muted"> · set by the workspace file</span> : null}
    </>
  )
  const shared = {
    id,
    described,
    fault,
    field,
    ...rest,
    value: fixed ? '' : rest.value,
    readOnly: rest.readOnly || fixed
  }
  return (
    <div data-setting={name} data-fixed={fixed || undefined} className="flex min-w-0 flex-col gap-1">
      {kind === 'radio' ? (
        <Radios {...shared} legend={label} />
      ) : kind === 'checkbox' ? (
        <Checkbox {...shared} label={label} />
      ) : (
        <>
          <label htmlFor={id} className="font-semibold">
            {label}
          </label>
          {kind === 'select' ? <Select {...shared} /> : <Text {...shared} />}
        </>
      )}
      {hint === '' ? null : (
        <p id={`${id}-hint`} className="max-w-[68ch] text-muted">
          <VisibleText text={hint} />
        </p>
      )}
      {fault ? (
        <p id={`${id}-fault`} data-hook="field-error" className="text-fail">
          {`${fault[0]?.toUpperCase()}${fault.slice(1)}.`}
        </p>
      ) : null}
    </div>
  )
}

type ControlProps = Omit<SettingProps, 'fixed'> & { id: string; described: string | undefined }

function Text({ id, field, value, onChange, readOnly, fault, described }: ControlProps) {
  return (
    <input
      id={id}
      value={value}
      inputMode={field.ui_type === 'number' ? 'decimal' : undefined}
      placeholder={field.placeholder ?? field.default}
      readOnly={readOnly}
      required={field.required}
      autoComplete="off"
      spellCheck={false}
      aria-invalid={fault !== undefined}
      aria-describedby={described}
      onChange={event => onChange(event.target.value)}
      className={`tap h-[30px] w-full min-w-0 rounded-sm border bg-panel px-2 read-only:bg-transparent ${fault ? 'border-fail' : 'border-rail'}`}
    />
  )
}

function Select({ id, field, value, onChange, readOnly, fault, described, find }: ControlProps) {
  const { options, note, search } = useOptions(field, find)
  return (
    <Combobox
      id={id}
      value={value}
      onChange={onChange}
      options={options}
      onSearch={search}
      note={note}
      placeholder={field.placeholder ?? field.default}
      readOnly={readOnly}
      aria-invalid={fault !== undefined}
      aria-describedby={described}
    />
  )
}

function Checkbox({
  id,
  value,
  onChange,
  readOnly,
  described,
  field,
  label
}: ControlProps & { label: ReactNode }) {
  return (
    <label htmlFor={id} className="tap flex items-center gap-2 font-semibold">
      <input
        id={id}
        type="checkbox"
        checked={(value === '' ? field.default : value) === 'true'}
        disabled={readOnly}
        aria-describedby={described}
        onChange={event => onChange(String(event.target.checked))}
      />
      <span>{label}</span>
    </label>
  )
}

function Radios({
  id,
  field,
  value,
  onChange,
  readOnly,
  described,
  legend
}: ControlProps & { legend: ReactNode }) {
  const now = value === '' ? field.default : value
  const options = field.type === 'bool' ? ['true', 'false'] : (field.options ?? [])
  return (
    <fieldset aria-describedby={described} className="flex flex-wrap gap-x-6 gap-y-1">
      <legend className="font-semibold">{legend}</legend>
      {options.map(option => (
        <label key={option} className="tap flex items-center gap-2">
          <input
            type="radio"
            name={id}
            value={option}
            checked={now === option}
            disabled={readOnly}
            onChange={() => onChange(option)}
          />
          {option}
        </label>
      ))}
    </fieldset>
  )
}
