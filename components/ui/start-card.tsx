import type { ComponentProps, ReactNode } from 'react'
import { ChevronIcon } from './icons.tsx'

type StartCardProps = ComponentProps<'button'> & { label: string; 'data-hook': string; children: ReactNode }

/** A button that starts something: a label, and below it what it sends or does. */
export const StartCard = ({ label, children, ...props }: StartCardProps) => (
  <button
    type="button"
    {...props}
    className="group flex w-full items-start gap-2 rounded-sm border p-4 text-left hover:border-ink hover:bg-panel"
  >
    <span className="flex min-w-0 flex-1 flex-col gap-1">
      <span className="text-person font-semibold">{label}</span>
      {children}
    </span>
    <span className="pt-0.5 text-muted group-hover:text-ink">
      <ChevronIcon />
    </span>
  </button>
)
