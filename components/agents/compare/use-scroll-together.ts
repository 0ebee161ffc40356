import { type UIEvent, useRef } from 'react'

/** Scrolls all columns with the one that the user scrolls. */
export function useScrollTogether() {
  const leader = useRef<EventTarget | undefined>(undefined)
  const lead = ({ target }: { target: EventTarget }) => {
    leader.current = (target as Element).closest?.('[data-hook=transcript]') ?? leader.current
  }
  const onScrollCapture = ({ target, currentTarget }: UIEvent<HTMLElement>) => {
    if (target !== leader.current || !(target instanceof HTMLElement)) return
    for (const other of currentTarget.querySelectorAll<HTMLElement>('[data-hook=transcript]'))
      if (other !== target) other.scrollTop = target.scrollTop
  }
  return { onPointerOverCapture: lead, onFocusCapture: lead, onScrollCapture }
}
