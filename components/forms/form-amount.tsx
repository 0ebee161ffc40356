import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { amount, type TextFormat } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'
import { ValueField } from './value-field.tsx'

export type FormAmountProps = {
  name: string
  label: string
  hint?: ReactNode
  /** The word after the number, such as "seconds". */
  unit: string
  /** The default: a number, or the meaning of an empty field. */
  placeholder: string
  as?: TextFormat
}

/** A number of the form around it with its unit, and a button that brings back the default. */
export function FormAmount({ label, unit, as = amount, ...props }: FormAmountProps) {
  const field = useFormValue<unknown>(props.name)
  const isUnset = (field.value ?? undefined) === undefined
  return (
    <ValueField
      {...props}
      {...field}
      as={as}
      inputMode="decimal"
      label={
        <>
          {label}
          <span className="sr-only"> ({unit})</span>
        </>
      }
      after={
        <>
          <span aria-hidden="true" className="text-muted">
            {unit}
            {isUnset && Number(props.placeholder) > 0 ? ' · default' : ''}
          </span>
          {isUnset ? null : (
            <Button
              tone="quiet"
              data-hook="reset-amount"
              onClick={({ currentTarget }) => {
                // The button disappears with the focus.
                currentTarget.parentElement?.querySelector('input')?.focus()
                field.onChange(as.parse(''))
              }}
            >
              Reset<span className="sr-only"> {label}</span>
            </Button>
          )}
        </>
      }
    />
  )
}
