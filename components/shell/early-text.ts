import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React does, as inline script. A field can be typed in before React knows of it: React then keeps
 * its own value and the text is lost, at once or with the next change. This remembers such text and, once the page is
 * alive (`alive.tsx`), enters it again. It runs as text: no imports, no names from outside.
 */
function keepEarlyText(aliveEvent: string): void {
  type Field = HTMLInputElement | HTMLTextAreaElement
  const typed = new Map<Field, { text: string; served: string }>()
  const keep = ({ target: field }: Event) => {
    const isText = field instanceof HTMLInputElement && !/^(checkbox|radio|file)$/.test(field.type)
    if (!isText && !(field instanceof HTMLTextAreaElement)) return
    typed.set(field, { text: field.value, served: typed.get(field)?.served ?? field.defaultValue })
  }
  const enter = (field: Field, served: string, text: string) => {
    const said = () => field.dispatchEvent(new Event('input', { bubbles: true }))
    const prototype =
      field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React takes over a part of the page that it has not reached yet, before it handles an event there.
    said()
    // React compares with what it saw last, and it sees a value that is set on the field itself.
    field.value = served
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
    said()
  }
  window.addEventListener('input', keep, true)
  window.addEventListener(
    aliveEvent,
    () => {
      window.removeEventListener('input', keep, true)
      for (const [field, { text, served }] of typed) {
        // The page may have a draft of its own there by now: nothing of either is lost.
        const own = field.value === served || field.value === text ? '' : field.value
        if (field.isConnected && !field.readOnly) enter(field, served, own === '' ? text : `${own} ${text}`)
      }
    },
    { once: true }
  )
}

export const earlyText = `(${keepEarlyText})('${aliveEvent}')`
