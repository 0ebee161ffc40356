import { clsx } from 'clsx'
import { type ComponentPropsWithoutRef, forwardRef } from 'react'

const tones = {
  primary:
    'border border-ink bg-ink text-ground disabled:border-rail disabled:bg-transparent disabled:text-muted',
  plain: 'border border-rail text-ink hover:border-ink disabled:border-line disabled:text-muted',
  quiet: 'text-ink underline decoration-rail underline-offset-3 hover:decoration-ink disabled:text-muted',
  danger: 'border border-fail text-fail disabled:border-line disabled:text-muted'
} as const

type ButtonProps = ComponentPropsWithoutRef<'button'> & { tone?: keyof typeof tones }

/**
 * A button, 30 px high, or 44 px on touch screens. Use one `primary` button per card. Use `quiet` in a line
 * of text: the button does not change the line's height, and its touch target extends beyond the line. React 18
 * needs `forwardRef`, because a menu attaches a ref to its button.
 */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(
  ({ tone = 'plain', className, type = 'button', ...props }, ref) => (
    <button
      ref={ref}
      type={type}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center gap-1 rounded-sm text-ui',
        tone === 'quiet' ? 'reach' : 'tap h-[30px] px-3 font-semibold',
        tones[tone],
        className
      )}
      {...props}
    />
  )
)

/** A square button with an icon. `label` is its accessible name and tooltip. */
export const IconButton = forwardRef<
  HTMLButtonElement,
  ComponentPropsWithoutRef<'button'> & { label: string }
>(({ label, className, type = 'button', ...props }, ref) => (
  <button
    ref={ref}
    type={type}
    aria-label={label}
    title={label}
    className={clsx(
      'tap inline-flex size-[30px] shrink-0 items-center justify-center rounded-sm text-muted',
      'hover:text-ink aria-expanded:text-ink aria-pressed:text-ink',
      className
    )}
    {...props}
  />
))
