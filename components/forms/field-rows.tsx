import type { ReactNode } from 'react'

/**
 * Fields as rows with hairlines: label and hint at the left, the control at the right. On small screens the control is
 * below its label.
 */
export const FieldRows = ({ children }: { children: ReactNode }) => (
  <div
    data-rows
    className="divide-y border-y [&>div]:py-3 mid:[&>div]:grid mid:[&>div]:grid-cols-[minmax(0,264px)_minmax(0,320px)] mid:[&>div]:items-center mid:[&>div]:gap-x-8 mid:[&>div]:gap-y-0 mid:[&>div>p]:col-start-1 mid:[&>div>[data-hook=field-error]]:col-start-2 mid:[&>div>[data-hook=field-error]]:pt-1 mid:[&>div:has(>p)>:nth-child(2)]:row-span-2"
  >
    {children}
  </div>
)

/** A row of `FieldRows` with a value that is not a field, or with a control that repeats the label for screen readers. */
export const FieldLine = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="max-mid:flex max-mid:flex-col max-mid:gap-1">
    <span className="font-semibold">{label}</span>
    {children}
  </div>
)

type FieldGroupProps = { title: string; about: string; 'data-hook'?: string; children: ReactNode }

/** Fields below a heading and a sentence, for a form with several groups. */
export const FieldGroup = ({ title, about, children, ...props }: FieldGroupProps) => (
  <div {...props} className="flex flex-col gap-3 not-first:pt-6">
    <div>
      <h3 className="text-person font-semibold">{title}</h3>
      <p className="max-w-[68ch] text-muted">{about}</p>
    </div>
    {children}
  </div>
)
