import type { ReactNode } from 'react'

/** A picture of a session that waits for a person. It is only decoration, so nothing in it can be used. */
export const ParkedPicture = () => (
  <figure aria-hidden="true" data-hook="parked-picture" className="w-full max-w-[480px] select-none">
    <div className="overflow-hidden rounded-sm border bg-ground">
      <div className="relative flex flex-col gap-3 pt-6 pr-6 pb-5 pl-14 max-mid:pr-4">
        <span className="absolute top-9 bottom-0 left-7 w-0.5 bg-rail" />
        <p className="relative text-person font-semibold">
          <Node className="h-0.5 w-2.5 bg-ink" />
          Ana was charged twice. Please fix it.
        </p>
        <p className="font-serif text-agent">
          Order 1042 was paid twice, on Monday and on Tuesday. I can refund the second payment.
        </p>
        <p className="relative flex justify-between gap-4">
          <Node className="size-3.5 rounded-full border-2 border-you bg-ground" />
          <span className="font-mono text-mono">refund-payment</span>
          <span className="text-you">waiting for you</span>
        </p>
      </div>
      <div className="flex flex-col gap-2 border-t-2 border-t-you bg-you-tint py-4 pr-6 pl-14 max-mid:pr-4">
        <p className="flex justify-between gap-4">
          <span className="text-person font-semibold">Refund €49.00 to Ana?</span>
          <span className="text-you">7 d left</span>
        </p>
        <p>Close the tab or restart the server. The card is still here.</p>
        <p className="flex flex-wrap gap-2 pt-1 font-semibold">
          <Pill className="border-ink bg-ink text-ground">Refund payment</Pill>
          <Pill className="border-rail">Edit</Pill>
          <Pill className="border-rail">Decline</Pill>
        </p>
      </div>
    </div>
    <figcaption className="pt-2 text-muted">Example</figcaption>
  </figure>
)

const Node = ({ className }: { className: string }) => (
  <span className={`absolute top-1/2 -left-[27px] -translate-x-1/2 -translate-y-1/2 ${className}`} />
)

const Pill = ({ className, children }: { className: string; children: ReactNode }) => (
  <span className={`flex h-[30px] items-center rounded-sm border px-3 max-mid:px-2 ${className}`}>
    {children}
  </span>
)
