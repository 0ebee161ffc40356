import { type RefObject, useEffect, useRef } from 'react'
import { isDialogOpen, useHotkeys } from '#components/browser/hotkeys.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { keyOf, type Request } from './request.ts'

type Inbox = {
  list: RefObject<HTMLOListElement | null>
  detail: RefObject<HTMLElement | null>
  shown: readonly Request[]
  open: Request | undefined
  select: (request: Request | undefined) => void
  check: (request: Request) => void
}

/**
 * The keyboard of the inbox. `j` and `k` open the next and the previous request, and the focus stays in the list. Enter
 * goes into its card, Escape goes back to its row, and `x` selects it for an answer to several. No single key approves.
 *
 * When the focus was in a card and its request is answered, the focus moves to the row that opens next.
 */
export function useInboxKeys({ list, detail, shown, open, select, check }: Inbox) {
  /** Where the focus was before the last change. */
  const wasIn = useRef<'list' | 'detail'>(undefined)
  /** The request whose card the user left last. */
  const left = useRef<Request>(undefined)
  const rowOf = (request: Request | undefined) =>
    request && list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(keyOf(request))}"]`)
  const focusRow = (request: Request | undefined) => {
    const row = rowOf(request)
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }
  const at = open === undefined ? -1 : shown.indexOf(open)
  const step = (by: number) => {
    const next = shown[Math.max(0, Math.min(at + by, shown.length - 1))]
    if (next === undefined) return false
    select(next)
    focusRow(next)
  }
  const enter = () => detail.current?.querySelector<HTMLElement>('[data-call], [data-held-request]')?.focus()
  /** On small screens, the list is hidden while a request is open. */
  const back = () => {
    wasIn.current = 'list'
    left.current = open
    select(undefined)
  }
  const leave = () => {
    // The browser closes the menu.
    if (isDialogOpen()) return false
    if (rowOf(open)?.offsetParent) focusRow(open)
    else back()
  }
  useHotkeys('List', [
    { keys: 'j', label: 'Open the next request', run: () => step(1) },
    { keys: 'k', label: 'Open the previous request', run: () => step(at < 0 ? 0 : -1) },
    { keys: 'x', label: 'Select the open request', run: () => (open === undefined ? false : check(open)) },
    { keys: 'Escape', label: 'Go back to the list', within: detail, run: leave }
  ])
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const isIn = (part: RefObject<HTMLElement | null>) =>
        target instanceof Node && part.current?.contains(target)
      wasIn.current = isIn(list) ? 'list' : isIn(detail) ? 'detail' : undefined
    }
    const onPointer = () => {
      wasIn.current = undefined
    }
    window.addEventListener('focusin', onFocus)
    window.addEventListener('pointerdown', onPointer, true)
    return () => {
      window.removeEventListener('focusin', onFocus)
      window.removeEventListener('pointerdown', onPointer, true)
    }
  }, [list, detail])
  useEffectOnChange([open && keyOf(open)], () => {
    if (wasIn.current === undefined || document.activeElement !== document.body) return
    focusRow(open ?? left.current)
    if (document.activeElement === document.body) enter()
    // The last request was answered.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-hook="nothing-waits"]')?.focus()
  })
  return { enter, back }
}
