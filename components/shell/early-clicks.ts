import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React, as an inline script. A server-rendered button or checkbox is visible before
 * it works, so an early click would be lost. This script holds such clicks, and repeats them once the page is
 * alive (`alive.tsx`), once for each control. It ignores links and forms, which work without React. Do not
 * use imports or outer names in this function, because it runs as text.
 */
function holdEarlyClicks(aliveEvent: string): void {
  const held = new Set<HTMLElement>()
  const hold = (event: MouseEvent) => {
    const controls = 'button, input[type="checkbox"], input[type="radio"]'
    const control = event.target instanceof Element && event.target.closest<HTMLInputElement>(controls)
    if (!control || (control.type === 'submit' && control.form?.hasAttribute('action'))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(control)
  }
  // React renders the result of a click before the next one.
  const repeat = ([control, ...others]: HTMLElement[]) => {
    if (control === undefined) return
    if (control.isConnected) control.click()
    queueMicrotask(() => repeat(others))
  }
  window.addEventListener('click', hold, true)
  window.addEventListener(
    aliveEvent,
    () => {
      window.removeEventListener('click', hold, true)
      repeat([...held])
    },
    { once: true }
  )
}

/** The inline script that repeats early clicks. */
export const earlyClicks = `(${holdEarlyClicks})('${aliveEvent}')`
