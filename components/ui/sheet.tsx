'use client'
import * as Radix from 'radix-ui/dialog'
import { type PointerEvent, type ReactNode, useRef } from 'react'
import { usePortal } from './portal.ts'

type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
}

/** The sheet closes if the user drags it down farther than this, in px. */
const shutAfter = 96

/**
 * A sheet at the bottom of a small screen, 90 % of its height. Users can drag it down to close it. Its
 * content must store its own drafts, because closing unmounts it.
 */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  const content = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)

  const move = (event: PointerEvent) => {
    if (from.current === null || content.current === null) return
    content.current.style.translate = `0 ${Math.max(0, event.clientY - from.current)}px`
  }
  const drop = (event: PointerEvent) => {
    if (from.current === null || content.current === null) return
    const distance = event.clientY - from.current
    from.current = null
    content.current.style.translate = ''
    if (distance > shutAfter) onOpenChange(false)
  }

  const portal = usePortal()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal container={portal}>
        <Radix.Overlay className="fixed inset-0 z-40 bg-ground opacity-75" />
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-50 flex h-[90dvh] animate-rise flex-col border-t-2 border-t-you bg-panel shadow-overlay outline-none"
        >
          <div
            className="flex h-6 shrink-0 cursor-grab touch-none items-center justify-center"
            onPointerDown={event => {
              from.current = event.clientY
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={move}
            onPointerUp={drop}
            onPointerCancel={drop}
          >
            <span className="h-0.5 w-8 bg-rail" />
          </div>
          <div className="flex shrink-0 items-center justify-between px-5">
            <Radix.Title className="text-ui font-semibold">{title}</Radix.Title>
            <Radix.Close className="tap px-1 text-ui text-muted underline underline-offset-3">
              Close
            </Radix.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
