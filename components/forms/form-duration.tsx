import { type ComponentProps, type ReactNode, useState } from 'react'
import { Select } from '#components/ui/select.tsx'
import { AmountField } from './form-amount.tsx'
import { amount, type TextFormat } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'

const units = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 }
type Unit = keyof typeof units
const names = Object.keys(units) as Unit[]

type DurationProps = {
  name: string
  label: string
  hint?: ReactNode
  /** The default in seconds, or what an empty field means. */
  placeholder?: number | string
  /** The field can also be set to never, which is null. */
  canBeNever?: boolean
}

/** A time span of the form around it, in seconds: a number and its unit. */
export const FormDuration = (props: DurationProps) => (
  <DurationField {...props} {...useFormValue<unknown>(props.name)} />
)

type DurationFieldProps = DurationProps &
  Omit<ComponentProps<typeof AmountField>, 'label' | 'as' | 'unit' | 'placeholder'>

/** A time span like `FormDuration`, whose value the parent has. The largest unit without a fraction is shown first. */
export function DurationField({ placeholder, canBeNever, ...field }: DurationFieldProps) {
  const { value, onChange, label } = field
  const [picked, pick] = useState<Unit>()
  const unit = picked ?? fitting(value ?? placeholder)
  const change = (next: unknown) => {
    // The unit stays while the user types, and fits again after a reset.
    pick(next === undefined ? undefined : unit)
    onChange(next)
  }
  return (
    <AmountField
      {...field}
      fault={field.fault?.replace(/(?<=at (?:most|least) )\d+(?=\W*$)/, seconds => inWords(Number(seconds)))}
      as={inUnit(unit)}
      onChange={change}
      readOnly={value === null}
      placeholder={
        value === null ? '' : typeof placeholder === 'number' ? inUnit(unit).format(placeholder) : placeholder
      }
      unit={
        <Select
          aria-label={`${label}, unit`}
          className="shrink-0"
          value={value === null ? 'never' : unit}
          options={canBeNever ? [...names, 'never'] : names}
          onChange={next => {
            if (next === 'never') return onChange(null)
            pick(next)
            if (value === null) onChange(undefined)
            else if (typeof value === 'number') onChange((value / units[unit]) * units[next])
          }}
        />
      }
    />
  )
}

const fitting = (seconds: unknown): Unit =>
  (typeof seconds === 'number' && seconds > 0 && names.find(name => seconds % units[name] === 0)) || 'seconds'

/** The limit in an error, such as 3600, with its unit: 1 hour. */
function inWords(seconds: number): string {
  const unit = fitting(seconds)
  const count = seconds / units[unit]
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}

/** A number of seconds as a number of units. */
const inUnit = (unit: Unit): TextFormat => ({
  format: value => amount.format(typeof value === 'number' ? value / units[unit] : value),
  parse: typed => {
    const value = amount.parse(typed)
    return typeof value === 'number' ? Math.round(value * units[unit] * 1000) / 1000 : value
  }
})
