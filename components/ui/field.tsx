'use client'
import { type HTMLAttributes, useId } from 'react'

type FieldProps = {
  name: string
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  fault?: string | undefined
  required?: boolean
  readOnly?: boolean
  mono?: boolean
  /** The number of lines of a field with several lines. */
  rows?: number
  /** Says what an empty field means. */
  placeholder?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  /** Hides the value on the screen. */
  type?: 'password'
}

/** A field with its label, a hint, and the error of its value (`fault`). */
export function Field({
  label,
  hint,
  fault,
  value,
  onChange,
  mono = false,
  rows,
  type,
  ...rest
}: FieldProps) {
  const id = useId()
  const described = [...(hint ? [`${id}-hint`] : []), ...(fault ? [`${id}-fault`] : [])].join(' ')
  const shared = {
    ...rest,
    id,
    value,
    autoComplete: 'off',
    'aria-invalid': fault !== undefined,
    'aria-describedby': described || undefined,
    className: `tap w-full min-w-0 rounded-sm border bg-panel px-2 read-only:bg-transparent ${fault ? 'border-fail' : 'border-rail'} ${mono ? 'font-mono text-mono max-mid:text-agent' : ''}`
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          type={type}
          autoComplete={type === undefined ? 'off' : 'new-password'}
          className={`${shared.className} h-[30px]`}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          spellCheck={!mono}
          className={`${shared.className} py-1`}
          onChange={event => onChange(event.target.value)}
        />
      )}
      {hint ? (
        <p id={`${id}-hint`} className="text-muted">
          {hint}
        </p>
      ) : null}
      {fault ? (
        <p id={`${id}-fault`} data-hook="field-error" className="text-fail">
          {fault}
        </p>
      ) : null}
    </div>
  )
}
