import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { usePortal } from './portal.ts'

type ModalProps = {
  /** Called when the user presses Esc or clicks outside. */
  onClose: () => void
  /** The ID of the element with its name. */
  labelledBy: string
  /** The ID of the element with its description. */
  describedBy?: string | undefined
  /** Sets the place, size and look. */
  className: string
  children: ReactNode
}

/**
 * A modal `<dialog>`, open while it is mounted. The browser keeps the focus inside, makes the rest of the page inert,
 * and moves the focus back at the end.
 */
export function Modal({ onClose, labelledBy, describedBy, className, children }: ModalProps) {
  const portal = usePortal()
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  if (typeof document === 'undefined') return null
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for a click outside is Esc, which sends `cancel`
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      // Its children can send the same events: the browser cancels the choice of a file, for example.
      onCancel={event => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // The browser closes it at the second Esc, even if the first one was prevented.
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) onClose()
      }}
      // Only the backdrop and the edge of the dialog itself are outside its children.
      onPointerDown={({ target, currentTarget }) => {
        pressedOutside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        if (pressedOutside.current && target === currentTarget) onClose()
      }}
      className={`fixed inset-0 overscroll-contain border bg-raised p-0 text-ink shadow-overlay outline-none backdrop:bg-scrim ${className}`}
    >
      {children}
    </dialog>,
    portal ?? document.body
  )
}
