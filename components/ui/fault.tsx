import type { ReactNode } from 'react'

/** The error of an action, which screen readers announce. It shows nothing without one. */
export const Fault = ({ children, ...hook }: { children: ReactNode; 'data-hook'?: string }) => (
  <p {...hook} role="alert" className="text-fail empty:hidden">
    {children}
  </p>
)
