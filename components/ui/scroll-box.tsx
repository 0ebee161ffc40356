import type { ReactNode } from 'react'

/** A box whose content scrolls inside it. It can be reached and scrolled by keyboard, and says what it holds. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className={`overflow-auto rounded-sm border ${className ?? ''}`}
    >
      {children}
    </section>
  )
}
