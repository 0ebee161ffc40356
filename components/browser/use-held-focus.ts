import { useEffect } from 'react'

/** A dialog that closes restores the focus within this time, in ms. */
const patience = 60

/**
 * Moves the focus of a keyboard user when the focused element is removed, for example the card of an answered
 * call. It goes to the pending calls, or else to the composer. After a held message, it goes to the other
 * held messages.
 */
export function useHeldFocus(): void {
  useEffect(() => {
    /**
     * The element of the page that a keyboard user focused last. Undefined after the user pressed a pointer. Elements of
     * dialogs and menus do not count, because the browser moves the focus back when these close.
     */
    let last: Element | undefined
    let looking: ReturnType<typeof setTimeout> | undefined
    const remember = (element: Element | null) => {
      if (element?.closest('dialog, [popover]') === null) last = element
    }
    const onKey = () => remember(document.activeElement)
    const onFocus = ({ target }: FocusEvent) => {
      if (last !== undefined && target instanceof Element) remember(target)
    }
    const onPointer = () => {
      last = undefined
    }
    const fell = () => last?.isConnected === false && document.activeElement === document.body
    const hold = () => {
      looking = undefined
      if (!fell()) return
      const held = last?.closest('[data-held-message]')
        ? document.querySelector<HTMLElement>('[data-held]')
        : null
      const next =
        held ?? document.getElementById('waits') ?? document.querySelector<HTMLElement>('[data-composer]')
      next?.focus()
    }
    const removals = new MutationObserver(() => {
      if (looking === undefined && fell()) looking = setTimeout(hold, patience)
    })
    removals.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      clearTimeout(looking)
      removals.disconnect()
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
}
