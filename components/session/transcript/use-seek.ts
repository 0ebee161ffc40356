import { useEffect, useRef } from 'react'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { isOf, type Row } from '#components/session/transcript/rows/rows.ts'
import { isUnreceived } from '#components/session/wording/out-of-band-words.ts'

/** Maximum number of pages of earlier messages that are searched for the target. */
const mostPages = 20

/**
 * Loads earlier messages until the rows contain the target of the URL. Stops at the first message or after
 * `mostPages` pages.
 */
export function useSeek(target: string | undefined, rows: readonly Row[]): void {
  const { store } = useSessionContext()
  const waits = useSessionState(({ transcript }) => {
    const told = target === undefined ? undefined : transcript.outOfBand[target]
    return told !== undefined && told.messageId === undefined && !isUnreceived(told)
  })
  const earlier = useSessionState(state => state.earlier)
  const looked = useRef({ target, pages: 0 })
  useEffect(() => {
    if (looked.current.target !== target) looked.current = { target, pages: 0 }
    // A message that the agent has not received has no row yet.
    if (target === undefined || waits || earlier !== 'more' || looked.current.pages >= mostPages) return
    looked.current.pages = rows.some(row => isOf(row, target)) ? mostPages : looked.current.pages + 1
    if (looked.current.pages < mostPages) void store.loadEarlier()
  }, [target, waits, earlier, rows, store])
}
