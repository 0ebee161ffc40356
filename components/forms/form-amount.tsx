import type { ComponentProps, ReactNode } from 'react'
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
  /** The sign before the number, which replaces the visible unit. */
  before?: string
  /** The default if the field is empty: a number, or what it means. */
  placeholder?: string
  /** The default, for a field that is never empty. */
  standard?: number
  as?: TextFormat
}

/** A number of the form around it with its unit, and a button that brings back the default. */
export const FormAmount = (props: FormAmountProps) => (
  <AmountField {...props} {...useFormValue<unknown>(props.name)} />
)

type AmountFieldProps = FormAmountProps & Omit<ComponentProps<typeof ValueField>, 'label' | 'as'>

/** A number with its unit, like `FormAmount`, whose value the parent has. */
export function AmountField({ label, unit, before, standard, as = amount, ...field }: AmountFieldProps) {
  const isDefault = (field.value ?? standard) === standard
  return (
    <ValueField
      {...field}
      as={as}
      inputMode="decimal"
      before={before}
      label={
        <>
          {label}
          <span className="sr-only"> ({unit})</span>
        </>
      }
      after={
        <>
          <span aria-hidden="true" data-default={isDefault || undefined} className="shrink-0 text-muted">
            {before === undefined ? unit : null}
            {isDefault && (standard !== undefined || Number(as.parse(field.placeholder ?? '')) > 0)
              ? ' · default'
              : ''}
          </span>
          {isDefault ? null : (
            <Button
              tone="quiet"
              data-hook="reset-amount"
              onClick={({ currentTarget }) => {
                // The button disappears with the focus.
                currentTarget.parentElement?.querySelector('input')?.focus()
                field.onChange(standard ?? as.parse(''))
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
