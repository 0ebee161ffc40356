import type { ReactNode } from 'react'

/**
 * Fields as rows with hairlines: label and hint at the left, the control at the right. On small screens the control is
 * below its label.
 */
export const FieldRows = ({ children }: { children: ReactNode }) => (
  <div className="divide-y border-y [&>div]:py-3 mid:[&>div]:grid mid:[&>div]:grid-cols-[minmax(0,1fr)_minmax(0,18rem)] mid:[&>div]:items-center mid:[&>div]:gap-x-8 mid:[&>div]:gap-y-0 mid:[&>div>p]:col-start-1 mid:[&>div>[data-hook=field-error]]:col-start-2 mid:[&>div>[data-hook=field-error]]:pt-1 mid:[&>div:has(>p)>:nth-child(2)]:row-span-2">
    {children}
  </div>
)
