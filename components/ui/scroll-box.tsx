import type { ReactNode } from 'react'

/** A box with scrolling content. Keyboard users can focus and scroll it. Screen readers read `label`. */
export function ScrollBox({
  label,
  className,
  children
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll (WCAG 2.1.1)
      tabIndex={0}
      className={`overflow-auto rounded-sm border ${className ?? ''}`}
    >
      {children}
    </section>
  )
}
