import { aliveEvent } from './alive-event.ts'

/**
 * Runs in each page before React, as an inline script. Users can fill in a field before React hydrates it.
 * React then uses its own value, and the input is lost, at once or with the next change. This script
 * remembers the input, and enters it again once the page is alive (`alive.tsx`). Do not use imports or outer
 * names in this function, because it runs as text.
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
    // React hydrates a part of the page before it handles an event there.
    tell()
    if (field instanceof HTMLSelectElement) {
      field.value = text
      field.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    // If the page has restored a draft in this field, use both texts.
    const own = field.value === served || field.value === text ? '' : `${field.value} `
    const prototype =
      field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React sees only values that are set on the field itself, and compares a new value with the last one.
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

/** The inline script that enters early text again. */
export const earlyText = `(${keepEarlyText})('${aliveEvent}')`
