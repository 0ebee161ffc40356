'use client'
import * as Radix from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { usePortal } from './portal.ts'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Shown below the title. For an irreversible action, it says what will be lost. */
  description?: ReactNode
  children: ReactNode
}

/** A dialog in the middle of the page. Esc or a click outside closes it, and does nothing else. */
export function Dialog({ open, onOpenChange, title, description, children }: DialogProps) {
  const portal = usePortal()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal container={portal}>
        <Radix.Overlay className="fixed inset-0 z-40 bg-ground opacity-75" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[min(520px,calc(100vw-40px))] -translate-x-1/2 -translate-y-1/2 flex-col gap-2 overflow-y-auto rounded-sm border bg-panel p-6 shadow-overlay outline-none"
        >
          <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
          {description === undefined ? null : (
            <Radix.Description asChild>
              <div className="text-ui text-muted">{description}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The buttons of a dialog. They stay visible at its lower edge if the dialog is higher than the page. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap gap-2 border-t bg-panel px-6 pt-3 pb-6">
    {children}
  </div>
)
