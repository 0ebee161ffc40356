'use client'
import { type RefObject, useLayoutEffect, useRef } from 'react'

type Box = RefObject<HTMLElement | null>

/**
 * Keeps the reader's view in place when the content above all rows (`head`) changes its height, for example
 * when the button for earlier messages disappears. Reads that height only when `changing` changes.
 */
export function useHeldPlace(scroller: Box, head: Box, changing: string, isFollowing: () => boolean): void {
  const height = useRef<number | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure when `changing` changes
  useLayoutEffect(() => {
    const now = head.current?.offsetHeight
    const before = height.current
    height.current = now
    const box = scroller.current
    if (box === null || now === undefined || before === undefined || now === before || isFollowing()) return
    box.scrollTop += now - before
  }, [scroller, head, changing, isFollowing])
}
