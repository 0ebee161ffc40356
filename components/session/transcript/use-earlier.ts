'use client'
import { type RefObject, useCallback, useEffect } from 'react'

/** Fetches more when fewer than this many heights of the view are left above it. */
const ahead = 4

/**
 * Fetches earlier messages when a reader who has left the end scrolls close to the first loaded row. Returns
 * the scroll listener, which the caller adds to the scroll box.
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
  // A reader at the very top cannot scroll further, so check again when a page has arrived.
  useEffect(() => {
    if (earlier === 'more') look()
  }, [earlier, look])
  return look
}
