'use client'
import { type RefObject, useCallback, useEffect } from 'react'

/** How many heights of the view may be left above it before more is fetched. */
const ahead = 4

/**
 * Fetches earlier messages while a reader who has left the end comes near the first ones; the button above them is there
 * for whoever does not scroll. Give what it returns to the box as its scroll's listener.
 */
export function useEarlier(
  scroller: RefObject<HTMLElement | null>,
  {
    earlier,
    onEarlier,
    isFollowing
  }: { earlier: 'more' | 'loading' | 'none'; onEarlier: () => void; isFollowing: () => boolean }
): () => void {
  const look = useCallback(() => {
    const box = scroller.current
    if (box === null || earlier !== 'more' || isFollowing()) return
    if (box.scrollTop < ahead * box.clientHeight) onEarlier()
  }, [scroller, earlier, onEarlier, isFollowing])
  // Whoever stands at the top when a page has come does not scroll again.
  useEffect(() => {
    if (earlier === 'more') look()
  }, [earlier, look])
  return look
}
