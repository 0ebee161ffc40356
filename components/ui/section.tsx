import { type ReactNode, useId } from 'react'

/** One matter of the settings under its heading. */
export function Section({
  title,
  hook,
  children
}: {
  title: string
  /** Where scripts and tests find it. */
  hook?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} data-hook={hook} className="flex flex-col gap-3">
      <h2 id={id} className="border-b pb-2 text-person font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
