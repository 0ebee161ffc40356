import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** The look of a field of one line, 30 px high, or 44 px on touch screens. */
export const fieldLook =
  'tap h-[30px] min-w-0 rounded-sm border border-rail bg-ground px-2 aria-invalid:border-fail disabled:border-line disabled:text-muted'

type InputProps = ComponentProps<'input'> & { mono?: boolean }

/** A field of one line. A form field with a label, hint and error is `Field`. */
export function Input({ mono = false, className, ...props }: InputProps) {
  return (
    <input
      autoComplete="off"
      {...props}
      className={clsx(
        fieldLook,
        'read-only:bg-transparent',
        mono && 'font-mono text-mono max-mid:text-agent',
        className
      )}
    />
  )
}

/** A value that a form sends with the values of its fields. */
export const HiddenInput = (props: { name: string; value: string }) => <input type="hidden" {...props} />
