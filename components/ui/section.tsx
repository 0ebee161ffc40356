import { type ReactNode, useId } from 'react'

/** A section with a heading. Rows right below it (`data-rows`) start at its line. */
export function Section({
  title,
  hook,
  children
}: {
  title: string
  /** The `data-hook` by which scripts and tests find the section. */
  hook?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      data-hook={hook}
      className="flex flex-col gap-3 *:[h2+[data-rows]]:-mt-3 *:[h2+[data-rows]]:border-t-0"
    >
      <h2 id={id} className="border-b pb-2 text-person font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
