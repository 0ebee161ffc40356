import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'

/** Fetches more when fewer than this many heights of the view are left above it. */
const ahead = 4

type Box = RefObject<HTMLElement | null>

/**
 * Fetches earlier messages when a reader who has left the end scrolls close to the first loaded row. Returns
 * the scroll listener, which the caller adds to the scroll box. `virtual`: only the visible rows are rendered.
 */
export function useEarlier(scroller: Box, head: Box, virtual: boolean, following: RefObject<boolean>) {
  const { store } = useSessionContext()
  const earlier = useSessionState(state => state.earlier)
  useHeldPlace(scroller, head, virtual ? earlier : '', following)
  const look = useCallback(() => {
    const box = scroller.current
    if (box === null || earlier !== 'more' || following.current) return
    if (box.scrollTop < ahead * box.clientHeight) void store.loadEarlier()
  }, [scroller, earlier, store, following])
  // A reader at the very top cannot scroll further, so check again when a page has arrived.
  useEffect(() => {
    if (earlier === 'more') look()
  }, [earlier, look])
  return look
}

/**
 * Keeps the reader's view in place when the content above all rows (`head`) changes its height, for example
 * when the button for earlier messages disappears. Reads that height only when `changing` changes.
 */
function useHeldPlace(scroller: Box, head: Box, changing: string, following: RefObject<boolean>): void {
  const height = useRef<number | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure when `changing` changes
  useLayoutEffect(() => {
    const now = head.current?.offsetHeight
    const before = height.current
    height.current = now
    const box = scroller.current
    if (box === null || now === undefined || before === undefined || now === before || following.current)
      return
    box.scrollTop += now - before
  }, [scroller, head, changing, following])
}
