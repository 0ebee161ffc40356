import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { amount, type TextFormat } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'
import { ValueField } from './value-field.tsx'

export type FormAmountProps = {
  name: string
  label: string
  hint?: ReactNode
  /** The word after the number, such as "steps", or a list of units. */
  unit: ReactNode
  /** The default if the field is empty: a number, or what it means. */
  placeholder?: string | undefined
  /** The default, for a value that is never unset. The field is then empty. */
  standard?: number
  as?: TextFormat
}

/** A number of the form around it with its unit, and a button that brings back the default. */
export const FormAmount = (props: FormAmountProps) => (
  <AmountField {...props} {...useFormValue<unknown>(props.name)} />
)

type AmountFieldProps = FormAmountProps & Omit<ComponentProps<typeof ValueField>, 'label' | 'as'>

/** A number with its unit, like `FormAmount`, whose value the parent has. */
export function AmountField({ label, unit, standard, as = amount, ...field }: AmountFieldProps) {
  const unset = standard ?? as.parse('')
  const isDefault = field.value === undefined || field.value === unset
  return (
    <ValueField
      {...field}
      placeholder={standard === undefined ? field.placeholder : as.format(standard)}
      as={{
        format: value => (value === standard ? '' : as.format(value)),
        parse: typed => as.parse(typed) ?? unset
      }}
      inputMode="decimal"
      label={
        typeof unit === 'string' ? (
          <>
            {label}
            <span className="sr-only"> ({unit})</span>
          </>
        ) : (
          label
        )
      }
      after={
        <>
          {typeof unit === 'string' ? (
            <span aria-hidden="true" className="shrink-0">
              {unit}
            </span>
          ) : (
            unit
          )}
          {isDefault ? null : (
            <Button
              tone="quiet"
              data-hook="reset-amount"
              className="ml-auto"
              onClick={({ currentTarget }) => {
                // The button disappears with the focus.
                currentTarget.parentElement?.querySelector('input')?.focus()
                field.onChange(unset)
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
