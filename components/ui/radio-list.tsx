import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { box, boxLabel } from './checkbox.tsx'

type RadioListProps<Value extends string> = {
  legend: ReactNode
  /** Shows the legend to screen readers only. */
  hideLegend?: boolean
  /** The name of the inputs. Radio buttons of one page need different names. */
  name?: string
  value: Value | undefined
  onChange: (value: Value) => void
  /** `hint` is shown below the label. */
  options: readonly { value: Value; label: ReactNode; hint?: ReactNode }[]
  disabled?: boolean
  /** Moves the focus to the first option when the list appears. */
  autoFocus?: boolean
  'aria-describedby'?: string | undefined
  className?: string
  legendClassName?: string
  itemClassName?: string
}

/** Options of which the user selects one. The labels of options with hints are bold. */
export function RadioList<Value extends string>({
  legend,
  hideLegend = false,
  name,
  value,
  onChange,
  options,
  disabled,
  autoFocus = false,
  className,
  legendClassName = 'font-semibold',
  itemClassName,
  ...rest
}: RadioListProps<Value>) {
  const id = useId()
  return (
    <fieldset {...rest} disabled={disabled} className={clsx('min-w-0', className)}>
      <legend className={hideLegend ? 'sr-only' : legendClassName}>{legend}</legend>
      {options.map((option, index) => (
        <label key={option.value} className={clsx(boxLabel, 'shrink-0', itemClassName)}>
          <input
            type="radio"
            name={name ?? id}
            value={option.value}
            checked={option.value === value}
            // biome-ignore lint/a11y/noAutofocus: a dialog that loads its options opens before they appear
            autoFocus={autoFocus && index === 0}
            onChange={() => onChange(option.value)}
            className={box}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className={clsx(option.hint && 'font-semibold')}>{option.label}</span>
            {option.hint ? <span className="block text-muted">{option.hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
