import type { KeyboardEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'

/** Leaves a form of a card. The focus goes back to the button of the card that opened the form. */
export function leaveForm(from: Element, opener: string, onLeave: () => void): void {
  const card = from.closest('[data-call]')
  flushSync(onLeave)
  card?.querySelector<HTMLElement>(`[data-hook="${opener}"]`)?.focus()
}

type LeaveProps = { opener: string; onLeave: () => void; children: ReactNode }

/** A form of a card, which Escape leaves, from its fields and its buttons. Its draft is kept. */
export function Leavable({ opener, onLeave, children }: LeaveProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // During text composition, Escape belongs to the input method.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    // Otherwise, the browser closes the sheet that contains the card.
    event.preventDefault()
    leaveForm(event.currentTarget, opener, onLeave)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works in the controls inside
    <div onKeyDown={onKeyDown} className="contents">
      {children}
    </div>
  )
}
