import type { ReactNode } from 'react'

/** A page for whoever is not in yet: one column beside the line that everything hangs on. */
export function Door({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-center px-6 mid:px-[20vw]">
      <div className="relative flex w-full max-w-[44ch] flex-col gap-6 py-12 pl-10">
        <Rail />
        <h1 className="text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** The line that everything hangs on, with the ring of something that waits. */
const Rail = () => (
  <div aria-hidden="true" className="absolute inset-y-0 left-0 w-3">
    <div className="absolute inset-y-0 left-[5px] w-0.5 bg-rail" />
    <div className="absolute top-14 size-3 rounded-full border-2 border-you bg-ground" />
  </div>
)
