import { type RefObject, useEffect, useState } from 'react'

/**
 * Returns true while the mouse is over the element of `ref`. It listens on the document, because React sends
 * no leave event if the element under the mouse is removed, such as the card of an answered call.
 */
export function useMouseOver(ref: RefObject<Element | null>): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const look = (event: PointerEvent) =>
      setOver(
        event.pointerType === 'mouse' && ref.current !== null && event.composedPath().includes(ref.current)
      )
    const away = () => setOver(false)
    document.addEventListener('pointerover', look)
    document.documentElement.addEventListener('pointerleave', away)
    return () => {
      document.removeEventListener('pointerover', look)
      document.documentElement.removeEventListener('pointerleave', away)
    }
  }, [ref])
  return over
}
