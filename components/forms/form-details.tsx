import { type ReactNode, useEffect, useRef } from 'react'
import { useFormState } from 'react-hook-form'

type FormDetailsProps = {
  summary: ReactNode
  open?: boolean
  className?: string
  summaryClassName?: string
  'data-hook'?: string
  children: ReactNode
}

/** A closed group of fields of the form around it. It opens if one of them has an error. */
export function FormDetails({ summary, className, summaryClassName, children, ...props }: FormDetailsProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  const { errors } = useFormState()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields show the errors
  useEffect(() => {
    const field = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (ref.current === null || ref.current.open || !field) return
    ref.current.open = true
    // The form could not focus a hidden field.
    if (!document.activeElement?.matches('[aria-invalid="true"]')) field.focus()
  }, [errors])
  return (
    <details {...props} ref={ref} className={className}>
      <summary className={`w-fit ${summaryClassName ?? ''}`}>{summary}</summary>
      {children}
    </details>
  )
}
