import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** `fill` gives the popover the width of its button. */
type Align = 'start' | 'end' | 'fill'

type Popover = {
  /** For the button that opens the popover. */
  button: RefObject<HTMLButtonElement | null>
  /** For the element with `popover="auto"` and the class `fixed`. Render its content only if `open` is true. */
  list: RefObject<(HTMLDivElement & HTMLSpanElement) | null>
  open: boolean
  show: () => void
  /** Closes it and moves the focus to the button. */
  close: () => void
}

/**
 * Opens and places a popover of the browser, which is above the page, and which Esc or a press outside closes. Its first
 * input or button gets the focus.
 */
export function usePopover(align: Align): Popover {
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement & HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const popover = list.current
    if (popover === null || button.current === null) return
    button.current.popoverTargetElement = popover
    const onBeforeToggle = ({ newState }: ToggleEvent) => {
      if (newState !== 'open') return
      // Synchronous, because the browser shows the popover and moves the focus next.
      flushSync(() => setOpen(true))
      popover.querySelector('input:enabled, button:enabled')?.setAttribute('autofocus', '')
    }
    const onToggle = ({ newState }: ToggleEvent) => setOpen(newState === 'open')
    popover.addEventListener('beforetoggle', onBeforeToggle)
    popover.addEventListener('toggle', onToggle)
    return () => {
      popover.removeEventListener('beforetoggle', onBeforeToggle)
      popover.removeEventListener('toggle', onToggle)
    }
  }, [])
  useEffect(() => {
    if (open && button.current && list.current) return keepBeside(button.current, list.current, align)
  }, [open, align])
  return {
    button,
    list,
    open,
    show: () => list.current?.showPopover(),
    close() {
      list.current?.hidePopover()
      button.current?.focus()
    }
  }
}

/** The distances in pixels from the button and from the edges of the window. */
const gap = 4
const edge = 8

/**
 * Keeps an element below a button, or above it if there is more room, until the returned function is called. It stays
 * in the window, and follows the button while the page scrolls or grows.
 */
function keepBeside(button: Element, popover: HTMLElement, align: Align): () => void {
  let frame = 0
  const place = () => {
    const { left, right, top, bottom, width } = button.getBoundingClientRect()
    if (align === 'fill') popover.style.width = `${width}px`
    const x = align === 'end' ? right - popover.offsetWidth : left
    const below = bottom + gap
    const isBelow = below + popover.offsetHeight + edge <= innerHeight || innerHeight - bottom >= top
    const y = isBelow ? below : top - gap - popover.offsetHeight
    popover.style.left = `${within(x, innerWidth - popover.offsetWidth)}px`
    popover.style.top = `${within(y, innerHeight - popover.offsetHeight)}px`
    frame = requestAnimationFrame(place)
  }
  // The browser shows the popover before the next frame, so it has its size then.
  frame = requestAnimationFrame(place)
  return () => cancelAnimationFrame(frame)
}

const within = (value: number, end: number) => Math.max(edge, Math.min(value, end - edge))
