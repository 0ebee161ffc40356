'use client'
import { useEffect } from 'react'

/** A dialog that closes gives the focus back by itself within this time. Milliseconds. */
const patience = 60

/**
 * Focus never falls to the page: when what had it by the keyboard is gone (a card that was answered, a wait that was
 * cancelled), what still waits for the person has it, else the composer; after a held message the next one.
 */
export function useHeldFocus(): void {
  useEffect(() => {
    /** What has the focus, of somebody who works by keyboard. */
    let last: Element | undefined
    let looking: ReturnType<typeof setTimeout> | undefined
    const onKey = () => {
      last = document.activeElement ?? undefined
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (last !== undefined && target instanceof Element) last = target
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
