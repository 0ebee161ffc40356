'use client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Row } from '#components/session/transcript/rows/rows.ts'

/** Maximum distance from the end, in px, at which the reader is considered to be at the end. */
const near = 24

/**
 * How long after user input a scroll event is attributed to the user, in ms. A `drag` of the scroll bar gets
 * longer. Measuring rows also causes scroll events, which must be ignored.
 */
const intent = 400
const drag = 5000
const upwards = new Set(['PageUp', 'Home', 'ArrowUp', 'k', 'Tab'])

type Box = RefObject<HTMLElement | null>

/**
 * Keeps a transcript at its end while the reader is there, even when content changes its height. A reader who
 * has scrolled up stays in place. Sending a message scrolls to the end.
 *
 * - `fresh` is the number of rows that were added at the end since the reader left it.
 * - When rows are inserted above, the view stays in place. For a `virtual` list, the virtualizer does this.
 */
export function useFollowEnd(scroller: Box, content: Box, rows: readonly Row[], virtual: boolean) {
  const following = useRef(true)
  const seen = useRef<string | undefined>(undefined)
  const [fresh, setFresh] = useState(0)

  const toEnd = useCallback(() => {
    following.current = true
    setFresh(0)
    const box = scroller.current
    if (box) box.scrollTop = box.scrollHeight
  }, [scroller])
  const leave = useCallback(() => {
    following.current = false
  }, [])
  const top = useRef(0)
  const handled = useRef(0)
  const onScroll = useCallback(() => {
    const box = scroller.current
    if (!box) return
    const up = box.scrollTop < top.current && performance.now() - handled.current < intent
    top.current = box.scrollTop
    const rest = box.scrollHeight - box.scrollTop - box.clientHeight
    if (up && rest > 2) following.current = false
    else if (rest < near) {
      following.current = true
      setFresh(0)
    } else if (following.current) box.scrollTop = box.scrollHeight
  }, [scroller])

  useEffect(() => {
    const box = scroller.current
    const onHand = (event: Event) => {
      if (event instanceof KeyboardEvent && !upwards.has(event.key)) return
      // Dragging a scroll bar sends only a `pointerdown`, so this input lasts longer.
      handled.current = performance.now() + (event.type === 'pointerdown' ? drag : 0)
    }
    const hands = ['wheel', 'touchmove', 'pointerdown'] as const
    for (const hand of hands) box?.addEventListener(hand, onHand, { passive: true })
    addEventListener('keydown', onHand)
    return () => {
      for (const hand of hands) box?.removeEventListener(hand, onHand)
      removeEventListener('keydown', onHand)
    }
  }, [scroller])

  useEffect(() => {
    const stay = new ResizeObserver(() => {
      const box = scroller.current
      if (box && following.current) box.scrollTop = box.scrollHeight
    })
    for (const box of [scroller.current, content.current]) if (box) stay.observe(box)
    return () => stay.disconnect()
  }, [scroller, content])

  useLayoutEffect(() => {
    const box = scroller.current
    if (box && following.current) box.scrollTop = box.scrollHeight
  })

  const own = useRef<string | undefined>(undefined)
  const before = useRef<{ first: string | undefined; height: number }>({ first: undefined, height: 0 })
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const first = rows[0]?.key
    const grewAbove =
      before.current.first !== undefined &&
      first !== before.current.first &&
      rows.some(row => row.key === before.current.first)
    if (grewAbove && !virtual && !following.current) box.scrollTop += box.scrollHeight - before.current.height
    before.current = { first, height: box.scrollHeight }
    const sent = rows.at(-1)
    if (sent?.kind === 'pending' && sent.key !== own.current) {
      own.current = sent.key
      following.current = true
      setFresh(0)
    }
    if (following.current) {
      seen.current = rows.at(-1)?.key
      box.scrollTop = box.scrollHeight
    } else {
      const last = rows.findLastIndex(row => row.key === seen.current)
      setFresh(last < 0 ? 0 : rows.length - 1 - last)
    }
  }, [rows, virtual, scroller])

  const isFollowing = useCallback(() => following.current, [])
  return useMemo(
    () => ({ fresh, toEnd, leave, onScroll, isFollowing }),
    [fresh, toEnd, leave, onScroll, isFollowing]
  )
}
