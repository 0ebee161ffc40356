import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isAhead, type Row } from '#components/session/transcript/rows/rows.ts'

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
 * - `following` says whether the reader is at the end. To leave it, set it to false.
 * - `away` says whether the end is out of view.
 * - `fresh` is the number of rows that were added at the end since the reader left it.
 * - When rows are inserted above, the view stays in place. For a `virtual` list, the virtualizer does this.
 */
export function useFollowEnd(scroller: Box, content: Box, rows: readonly Row[], virtual: boolean) {
  const following = useRef(true)
  const hasRows = useRef(false)
  hasRows.current = rows.length > 0
  const seen = useRef<string | undefined>(undefined)
  const [fresh, setFresh] = useState(0)
  const [away, setAway] = useState(false)

  const stay = useCallback(() => {
    const box = scroller.current
    // The content of an empty session is read from its start.
    if (box && following.current && hasRows.current) box.scrollTop = box.scrollHeight
  }, [scroller])
  const follow = () => {
    following.current = true
    setFresh(0)
    setAway(false)
  }
  const toEnd = () => {
    follow()
    stay()
  }
  const top = useRef(0)
  const handled = useRef(0)
  const onScroll = () => {
    const box = scroller.current
    if (!box) return
    const up = box.scrollTop < top.current && performance.now() - handled.current < intent
    top.current = box.scrollTop
    const rest = box.scrollHeight - box.scrollTop - box.clientHeight
    if (up && rest > 2) following.current = false
    else if (rest < near) follow()
    else stay()
    if (!following.current) setAway(rest >= near)
  }

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
    const sizes = new ResizeObserver(stay)
    for (const box of [scroller.current, content.current]) if (box) sizes.observe(box)
    return () => sizes.disconnect()
  }, [scroller, content, stay])

  useLayoutEffect(stay)

  const own = useRef('')
  const before = useRef<{ first: string | undefined; height: number }>({ first: undefined, height: 0 })
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const first = rows[0]?.key
    const grewAbove = first !== before.current.first && rows.some(row => row.key === before.current.first)
    if (grewAbove && !virtual && !following.current) box.scrollTop += box.scrollHeight - before.current.height
    before.current = { first, height: box.scrollHeight }
    const sentAt = rows.reduce(
      (at, row) => (row.kind === 'pending' && row.send.at > at ? row.send.at : at),
      ''
    )
    if (sentAt > own.current) {
      own.current = sentAt
      following.current = true
    }
    // New rows are inserted above the pending messages.
    const log = rows.filter(row => !isAhead(row))
    if (following.current) seen.current = log.at(-1)?.key
    const last = log.findLastIndex(row => row.key === seen.current)
    setFresh(last < 0 ? 0 : log.length - 1 - last)
    stay()
  }, [rows, virtual, scroller, stay])

  return { fresh, away, following, toEnd, onScroll }
}
