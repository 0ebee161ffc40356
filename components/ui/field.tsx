import { type ReactNode, type Ref, useId } from 'react'
import { Input } from './input.tsx'

/** Links a control with its label, hint and error. */
export type ControlProps = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

type LabeledProps = {
  /** Without a label, the control has its own. */
  label?: ReactNode
  hint?: ReactNode
  fault?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A control with its label, a hint, and the error of its value (`fault`). */
export function Labeled({ label, hint, fault, children }: LabeledProps) {
  const id = useId()
  const described = [...(hint ? [`${id}-hint`] : []), ...(fault ? [`${id}-fault`] : [])].join(' ')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {label === undefined ? null : (
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
      )}
      {children({ id, 'aria-invalid': Boolean(fault), 'aria-describedby': described || undefined })}
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

export type FieldProps = Omit<LabeledProps, 'children'> & {
  name: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  ref?: Ref<HTMLInputElement & HTMLTextAreaElement>
  required?: boolean
  readOnly?: boolean
  mono?: boolean
  maxLength?: number
  /** The number of lines of a field with several lines. */
  rows?: number
  /** The field is at least about ten lines high, and grows with its text. */
  grows?: boolean
  /** Says what an empty field means. */
  placeholder?: string | undefined
  inputMode?: 'url' | 'numeric' | 'decimal'
  /** Shown at the right of a short field, such as its unit. */
  after?: ReactNode
  /** Hides the value on the screen. */
  type?: 'password'
  'data-hook'?: string
}

/** A text field with its label, a hint, and the error of its value (`fault`). */
export function Field({
  label,
  hint,
  fault,
  rows,
  grows = false,
  mono = false,
  after,
  type,
  onChange,
  ...props
}: FieldProps) {
  return (
    <Labeled label={label} hint={hint} fault={fault}>
      {control =>
        rows === undefined ? (
          <div className="flex items-center gap-2">
            <Input
              {...props}
              {...control}
              mono={mono}
              type={type}
              autoComplete={type === undefined ? 'off' : 'new-password'}
              onChange={event => onChange(event.target.value)}
              className={after === undefined ? 'w-full' : 'w-[120px] tabular-nums'}
            />
            {after}
          </div>
        ) : (
          <textarea
            {...props}
            {...control}
            rows={rows}
            autoComplete="off"
            spellCheck={!mono}
            onChange={event => onChange(event.target.value)}
            className={`tap w-full min-w-0 rounded-sm border border-rail bg-ground px-2 py-1 read-only:bg-transparent aria-invalid:border-fail ${mono ? 'font-mono text-mono max-mid:text-agent' : ''} ${grows ? 'field-sizing-content max-h-[70vh] min-h-52' : ''}`}
          />
        )
      }
    </Labeled>
  )
}
