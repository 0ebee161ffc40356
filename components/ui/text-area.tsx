import { clsx } from 'clsx'
import { type ComponentPropsWithoutRef, forwardRef, useEffect, useId, useRef } from 'react'
import { kerningOf } from './long-words.ts'

/** A field of several lines that is as high as its text. It has no border. React 18 needs `forwardRef`. */
export const GrowingText = forwardRef<HTMLTextAreaElement, ComponentPropsWithoutRef<'textarea'>>(
  ({ className, ...props }, ref) => (
    <textarea
      {...props}
      ref={ref}
      className={clsx('field-sizing-content resize-none', kerningOf(String(props.value ?? '')), className)}
    />
  )
)

type TextAreaProps = Omit<ComponentPropsWithoutRef<'textarea'>, 'onChange'> & {
  label: string
  value: string
  onChange: (value: string) => void
  mono?: boolean
  problem?: string | undefined
  /** The user just opened the field, so it gets the focus. */
  wanted?: boolean
}

/** A field that grows with its text. `problem` is shown below it, and screen readers read both together. */
export function TextArea({ label, value, onChange, mono, problem, wanted, ...props }: TextAreaProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (wanted) field.current?.focus()
  }, [wanted])
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-ui text-muted">
        {label}
      </label>
      <GrowingText
        ref={field}
        id={id}
        value={value}
        onChange={event => onChange(event.target.value)}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        className={`max-h-72 min-h-[30px] w-full rounded-sm border border-rail bg-ground px-2 py-1 ${mono ? 'font-mono text-mono' : 'text-person'}`}
        {...props}
      />
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="text-ui text-fail">
          {problem}
        </p>
      )}
    </div>
  )
}
