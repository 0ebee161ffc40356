import type { ReactNode } from 'react'

type SignedOutPageProps = {
  title: string
  children: ReactNode
  /** Nothing waits for anybody here. */
  over?: boolean
}

/** A page for whoever is not in yet: one column beside the line that everything hangs on. */
export function SignedOutPage({ title, children, over = false }: SignedOutPageProps) {
  return (
    <main
      data-hook={over ? 'closed-door' : 'door'}
      className="flex min-h-dvh items-center px-6 mid:px-[20vw]"
    >
      <div className="relative flex w-full max-w-[44ch] flex-col gap-6 py-12 pl-10">
        <Rail over={over} />
        <h1 className="text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** The line that everything hangs on, with the ring of something that waits, or waited. */
const Rail = ({ over }: { over: boolean }) => (
  <div aria-hidden="true" className="absolute inset-y-0 left-0 w-3">
    <div className="absolute inset-y-0 left-[5px] w-0.5 bg-rail" />
    <div
      className={`absolute top-14 size-3 rounded-full border-2 bg-ground ${over ? 'border-rail' : 'border-you'}`}
    />
  </div>
)
