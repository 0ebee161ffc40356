'use client'
import { type RefObject, useLayoutEffect, useRef } from 'react'

type Box = RefObject<HTMLElement | null>

/**
 * Leaves a reader's view where it is when what stands above all rows becomes higher or lower, such as the button for earlier
 * messages that goes when there are none. Its height is read only where `changing` is another.
 */
export function useHeldPlace(scroller: Box, head: Box, changing: string, isFollowing: () => boolean): void {
  const height = useRef<number | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changes the height
  useLayoutEffect(() => {
    const now = head.current?.offsetHeight
    const before = height.current
    height.current = now
    const box = scroller.current
    if (box === null || now === undefined || before === undefined || now === before || isFollowing()) return
    box.scrollTop += now - before
  }, [scroller, head, changing, isFollowing])
}
