import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  onChange: (checked: boolean) => void
  /** The label. */
  children: ReactNode
}

/** The label of a checkbox or radio button, and the button itself, which is beside the first line of the label. */
export const boxLabel = 'tap grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-center gap-x-2'
export const box = 'mt-[calc(0.5lh-8px)] size-4 shrink-0 self-start'

/** A checkbox with its label. */
export function Checkbox({ onChange, children, className, ...props }: CheckboxProps) {
  return (
    <label className={clsx(boxLabel, className)}>
      <input {...props} type="checkbox" onChange={event => onChange(event.target.checked)} className={box} />
      <span className="min-w-0">{children}</span>
    </label>
  )
}
