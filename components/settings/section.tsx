import { type ReactNode, useId } from 'react'

/** One matter of the settings under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="border-b pb-2 text-person font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
