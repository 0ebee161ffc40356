import { useState } from 'react'
import { amount, type TextFormat } from './text-format.ts'
import { useFormValue } from './use-form-value.ts'
import { ValueField } from './value-field.tsx'

const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }
type Unit = keyof typeof units

/** The largest unit in which a number of seconds is a whole number. */
const unitOf = (seconds: unknown): Unit =>
  (['days', 'hours', 'minutes'] as const).find(
    unit => typeof seconds === 'number' && seconds > 0 && seconds % units[unit] === 0
  ) ?? 'seconds'

/** Without the error of floating-point numbers: 1.1 days are 95,040 seconds. */
const times = (number: number, unit: number) => Number((number * unit).toFixed(3))

type FormDurationProps = { name: string; label: string; hint: string; placeholder: string }

/** A number of seconds of the form around it, which the user enters in any unit. */
export function FormDuration({ label, ...props }: FormDurationProps) {
  const field = useFormValue<unknown>(props.name)
  const [chosen, setChosen] = useState<Unit>()
  const unit = chosen ?? unitOf(field.value)
  const as: TextFormat = {
    format: value => amount.format(typeof value === 'number' ? value / units[unit] : value),
    parse: typed => {
      const number = amount.parse(typed)
      return typeof number === 'number' ? times(number, units[unit]) : number
    }
  }
  return (
    <ValueField
      {...props}
      {...field}
      as={as}
      inputMode="decimal"
      label={label}
      onChange={value => {
        // The unit must not change while the user types.
        setChosen(unit)
        field.onChange(value)
      }}
      after={
        <span className="chevron flex items-center text-muted">
          <select
            aria-label={`Unit of ${label}`}
            value={unit}
            onChange={event => {
              const next = event.target.value as Unit
              setChosen(next)
              if (typeof field.value === 'number')
                field.onChange(times(field.value / units[unit], units[next]))
            }}
            className="tap h-7 cursor-pointer appearance-none bg-transparent text-ui"
          >
            {Object.keys(units).map(unit => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        </span>
      }
    />
  )
}
