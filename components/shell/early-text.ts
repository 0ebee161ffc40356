import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React does, as inline script. A field can be used before React knows of it: React then keeps its
 * own value and what was typed or chosen is lost, at once or with the next change. This remembers it and, once the page is
 * alive (`alive.tsx`), enters it again. It runs as text: no imports, no names from outside.
 */
function keepEarlyText(aliveEvent: string): void {
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  const entered = new Map<Field, { text: string; served: string }>()
  const keep = ({ target: field }: Event) => {
    if (field instanceof HTMLSelectElement) entered.set(field, { text: field.value, served: '' })
    const isText = field instanceof HTMLInputElement && !/^(checkbox|radio|file)$/.test(field.type)
    if (!isText && !(field instanceof HTMLTextAreaElement)) return
    entered.set(field, { text: field.value, served: entered.get(field)?.served ?? field.defaultValue })
  }
  const enter = (field: Field, text: string, served: string) => {
    const tell = () => field.dispatchEvent(new Event('input', { bubbles: true }))
    // React takes over a part of the page that it has not reached yet, before it handles an event there.
    tell()
    if (field instanceof HTMLSelectElement) {
      field.value = text
      field.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    // The page may have a draft of its own there by now: nothing of either is lost.
    const own = field.value === served || field.value === text ? '' : `${field.value} `
    const prototype =
      field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React compares with what it saw last, and it sees only a value that is set on the field itself.
    field.value = served
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, own + text)
    tell()
  }
  window.addEventListener('input', keep, true)
  window.addEventListener(
    aliveEvent,
    () => {
      window.removeEventListener('input', keep, true)
      for (const [field, { text, served }] of entered) if (field.isConnected) enter(field, text, served)
    },
    { once: true }
  )
}

export const earlyText = `(${keepEarlyText})('${aliveEvent}')`
