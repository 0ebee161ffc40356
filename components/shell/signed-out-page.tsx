import type { ReactNode } from 'react'

type SignedOutPageProps = {
  title: string
  children: ReactNode
  /** The page asks the visitor for nothing, so the circle is gray. */
  over?: boolean
}

/** The layout of the sign-in and invite pages: one column beside a vertical line. */
export function SignedOutPage({ title, children, over = false }: SignedOutPageProps) {
  return (
    <main
      data-hook={over ? 'closed-door' : 'door'}
      className="flex min-h-dvh items-center px-6 mid:px-[20vw]"
    >
      <div className="relative flex w-full max-w-[44ch] flex-col gap-6 py-12 pl-10">
        {/* A line with a circle, as in a transcript. Amber means that the page waits for the visitor. */}
        <div aria-hidden="true" className="absolute inset-y-0 left-0 w-3">
          <div className="absolute inset-y-0 left-[5px] w-0.5 bg-rail" />
          <div
            className={`absolute top-14 size-3 rounded-full border-2 bg-ground ${over ? 'border-rail' : 'border-you'}`}
          />
        </div>
        <h1 className="text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children}
      </div>
    </main>
  )
}
