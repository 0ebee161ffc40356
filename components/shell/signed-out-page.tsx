import type { ReactNode } from 'react'
import { ParkedPicture } from './parked-picture.tsx'

type SignedOutPageProps = {
  title: string
  children: ReactNode
  /** The page asks the visitor for nothing, so the circle is gray. */
  over?: boolean
}

/** The layout of the sign-in and invite pages: the words beside a vertical line, and a picture of the product. */
export function SignedOutPage({ title, children, over = false }: SignedOutPageProps) {
  return (
    <main
      data-hook={over ? 'closed-door' : 'door'}
      className="mx-auto grid min-h-dvh max-w-[1120px] content-center items-start gap-x-16 gap-y-8 px-6 py-8 mid:grid-cols-2 mid:px-12"
    >
      <div className="relative flex w-full max-w-[48ch] flex-col gap-6 pb-6 pl-10">
        {/* A line with a circle, as in a transcript. Amber means that the page waits for the visitor. */}
        <div aria-hidden="true" className="absolute inset-y-0 left-0 w-3">
          <div className="absolute inset-y-0 left-[5px] w-0.5 bg-rail" />
          <div
            className={`absolute top-[14px] size-3 rounded-full border-2 bg-ground ${over ? 'border-rail' : 'border-you'}`}
          />
        </div>
        <h1 className="text-[32px] leading-10 font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children}
      </div>
      <ParkedPicture />
    </main>
  )
}
