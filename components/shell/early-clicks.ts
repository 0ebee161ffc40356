import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React does, as inline script. A server-rendered button is visible before it works: a click
 * in between would be lost. This holds such clicks back and repeats them once the page is alive (`alive.tsx`), each
 * button once. Links and forms work without React, so it leaves them alone. It runs as text: no imports, no names from
 * outside.
 */
function holdEarlyClicks(aliveEvent: string): void {
  const held = new Set<HTMLElement>()
  const hold = (event: MouseEvent) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button || (button.type === 'submit' && button.form?.hasAttribute('action'))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(button)
  }
  window.addEventListener('click', hold, true)
  window.addEventListener(
    aliveEvent,
    () => {
      window.removeEventListener('click', hold, true)
      for (const button of held) if (button.isConnected) button.click()
    },
    { once: true }
  )
}

export const earlyClicks = `(${holdEarlyClicks})('${aliveEvent}')`
