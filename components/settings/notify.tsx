'use client'
import { type NoticeState, setNotices, useNotices } from '#components/browser/notifications.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'

const why: Partial<Record<NoticeState, string>> = {
  refused: 'This browser blocks notifications from this site. Allow them in the browser settings first.',
  none: "This browser doesn't support notifications."
}

/**
 * Turns on notifications about requests that arrive while the tab is in the background. If the browser does
 * not permit them, the checkbox is disabled and the reason is shown.
 */
export function Notify() {
  const state = useNotices()
  return (
    <div className="flex flex-wrap items-baseline gap-x-4">
      <span aria-hidden="true" className="w-full mid:w-24">
        Notifications
      </span>
      <Checkbox
        data-hook="notify-waiting"
        checked={state === 'on'}
        disabled={why[state] !== undefined}
        onChange={on => void setNotices(on)}
      >
        Notify me of new requests while this tab is in the background
      </Checkbox>
      {why[state] === undefined ? null : <p className="text-muted">{why[state]}</p>}
    </div>
  )
}
