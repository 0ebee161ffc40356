import { type ReactNode, useId } from 'react'

/** A section with a heading. Rows right below it (`data-rows`) start at its line. */
export function Section({
  title,
  about,
  hook,
  children
}: {
  title: string
  about?: string
  /** The `data-hook` by which scripts and tests find the section. */
  hook?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      data-hook={hook}
      className="flex flex-col gap-3 *:[header+[data-rows]]:-mt-3 *:[header+[data-rows]]:border-t-0"
    >
      <header className="border-b pb-2">
        <h2 id={id} className="text-person font-semibold">
          {title}
        </h2>
        {about === undefined ? null : <p className="max-w-[68ch] text-muted">{about}</p>}
      </header>
      {children}
    </section>
  )
}
