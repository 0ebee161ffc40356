import { type PointerEvent, type ReactNode, useId, useRef } from 'react'
import { Modal } from './modal.tsx'

type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
}

/** The sheet closes if the user drags it down farther than this, in px. */
const shutAfter = 96

/**
 * A sheet at the bottom of a small screen, at most 90 % of its height. Users can drag it down to close it. Its
 * content must store its own drafts, because closing unmounts it.
 */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  const id = useId()
  const from = useRef<number | null>(null)
  if (!open) return null

  const close = () => onOpenChange(false)
  const move = ({ clientY, currentTarget }: PointerEvent, distance = clientY - (from.current ?? clientY)) => {
    const sheet = currentTarget.closest('dialog')
    if (sheet !== null) sheet.style.translate = distance > 0 ? `0 ${distance}px` : ''
  }
  const drop = (event: PointerEvent) => {
    if (from.current === null) return
    const distance = event.clientY - from.current
    from.current = null
    move(event, 0)
    if (distance > shutAfter) close()
  }

  return (
    <Modal
      onClose={close}
      labelledBy={id}
      className="mt-auto h-fit max-h-[90dvh] w-full max-w-none animate-rise border-x-0 border-t-2 border-b-0 border-t-you bg-you-tint!"
    >
      <div className="flex max-h-[calc(90dvh-2px)] flex-col">
        <div
          className="flex h-6 shrink-0 cursor-grab touch-none items-center justify-center"
          onPointerDown={event => {
            from.current = event.clientY
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={event => move(event)}
          onPointerUp={drop}
          onPointerCancel={drop}
        >
          <span className="h-0.5 w-8 bg-rail" />
        </div>
        <div className="flex shrink-0 items-center justify-between px-5">
          <h2 id={id} className="text-ui font-semibold">
            {title}
          </h2>
          <button
            type="button"
            onClick={close}
            className="tap px-1 text-ui text-muted underline underline-offset-3"
          >
            Close
          </button>
        </div>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5">{children}</div>
      </div>
    </Modal>
  )
}
