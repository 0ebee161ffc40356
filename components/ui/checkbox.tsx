import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  onChange: (checked: boolean) => void
  /** The label. */
  children: ReactNode
}

/** A checkbox with its label. `className` places the box beside a label of several lines. */
export function Checkbox({ onChange, children, className = 'items-center', ...props }: CheckboxProps) {
  return (
    <label className={clsx('tap flex min-w-0 gap-2', className)}>
      <input
        {...props}
        type="checkbox"
        onChange={event => onChange(event.target.checked)}
        className="shrink-0"
      />
      <span className="min-w-0">{children}</span>
    </label>
  )
}
