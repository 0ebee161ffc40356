import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { fieldLook } from './input.tsx'

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: Value
  onChange: (value: Value) => void
  options: readonly (Value | { value: Value; label: string })[]
  mono?: boolean
}

/** A list from which the user selects one value. An option without a label shows its value. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, onChange, mono = false, className, ...rest } = props
  return (
    <span
      className={clsx(
        'chevron relative inline-flex min-w-0 after:pointer-events-none after:absolute after:top-[calc(50%-5px)] after:right-2 after:text-muted',
        className
      )}
    >
      <select
        {...rest}
        // The browser offers only values of `options`.
        onChange={event => onChange(event.target.value as Value)}
        className={clsx(
          fieldLook,
          'w-full appearance-none pr-7 text-ellipsis',
          mono && 'font-mono text-mono'
        )}
      >
        {options.map(option => {
          const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
          return (
            <option key={value} value={value}>
              {label}
            </option>
          )
        })}
      </select>
    </span>
  )
}
