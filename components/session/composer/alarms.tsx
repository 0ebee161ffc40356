import type { Alarm } from '@waystation/protocol/session/alarm.ts'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { useRead } from '#components/browser/queries.tsx'
import { useAction } from '#components/browser/use-action.ts'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { repeatWords, wakeWords } from '#components/session/wording/alarm-words.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * The alarms that the agent has set for itself (001-20), above the composer. Shows the next alarm, and the
 * others on request.
 */
export function Alarms() {
  const { store } = useSessionContext()
  const news = useSessionState(state => state.transcript.alarms)
  // A pending limit question delays alarms, so reload the list when it opens or closes.
  const limit = useSessionState(({ transcript }) =>
    Object.values(transcript.calls).some(({ kind, state }) => kind === 'limit' && state === 'open')
  )
  const [all, setAll] = useState(false)
  const id = useId()
  const open = news?.open ?? 0
  const { data } = useRead({
    queryKey: ['alarms', store.path],
    queryFn: () => store.client.call('listAlarms', { path: store.path }),
    enabled: open > 0,
    version: [news, limit]
  })
  const alarms = open === 0 ? [] : (data?.alarms ?? [])
  // For a moment after the list changes, clicks are ignored: a second click is meant for the earlier alarm.
  const moved = useJustChanged(alarms.map(({ alarmId }) => alarmId).join(' '))
  if (alarms.length === 0) return null
  return (
    <section
      aria-label="Alarms"
      data-hook="alarms"
      className="max-h-40 shrink-0 overflow-y-auto border-t pr-5 mid:px-6"
    >
      <ul id={id} className={clsx('column', moved && 'pointer-events-none')}>
        {(all ? alarms : alarms.slice(0, 1)).map(alarm => (
          <AlarmRow key={alarm.alarmId} alarm={alarm} />
        ))}
      </ul>
      {alarms.length > 1 ? (
        <p className="column">
          <span className="flex min-h-9 items-center pl-(--gutter)">
            <Button
              data-hook="more-alarms"
              tone="quiet"
              aria-expanded={all}
              aria-controls={id}
              onClick={() => setAll(!all)}
            >
              {all ? 'Show fewer alarms' : moreWords(alarms.length - 1)}
            </Button>
          </span>
        </p>
      ) : null}
    </section>
  )
}

const moreWords = (more: number) => (more === 1 ? 'Show 1 more alarm' : `Show ${more} more alarms`)

function AlarmRow({ alarm }: { alarm: Alarm }) {
  const { store, may } = useSessionContext()
  const now = useNow()
  const [cancel, cancelling] = useAction(() => store.cancelAlarm(alarm.alarmId))
  const wakes = now === undefined ? 'Wakes' : wakeWords(alarm, now)
  const repeats = repeatWords(alarm)
  return (
    <li data-alarm className="flex min-h-9 items-center gap-3 pl-(--gutter)">
      <span className="shrink-0 text-muted tabular-nums">{wakes}</span>
      <span className="min-w-0 flex-1 truncate" title={alarm.reminderMessage}>
        {repeats === undefined ? null : <span className="text-muted">{repeats}</span>}
        {repeats === undefined || alarm.reminderMessage === undefined ? null : ' · '}
        {alarm.reminderMessage}
      </span>
      {may.send ? (
        <Button
          data-hook="cancel-alarm"
          tone="quiet"
          onClick={() => void cancel()}
          disabled={cancelling}
          aria-label={`Cancel alarm: ${[wakes, repeats, alarm.reminderMessage].filter(Boolean).join(', ')}`}
        >
          Cancel
        </Button>
      ) : null}
    </li>
  )
}
