import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether the mouse is on what `ref` holds. Asked of the document, at each element the mouse comes to: React's own
 * enter and leave miss that it left when what was under it has been taken out of the page, as a card is by its answer.
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
