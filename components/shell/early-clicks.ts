import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React does, as inline script. A server-rendered button or checkbox is visible before it
 * works: a click in between would be lost. This holds such clicks back and repeats them once the page is alive
 * (`alive.tsx`), each control once. Links and forms work without React, so it leaves them alone. It runs as text: no
 * imports, no names from outside.
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
  // React renders what came of a click before the next one.
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

export const earlyClicks = `(${holdEarlyClicks})('${aliveEvent}')`
