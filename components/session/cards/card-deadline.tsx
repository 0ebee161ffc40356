import type { Call } from '@waystation/protocol/call/call.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { clsx } from 'clsx'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { deadlineWords } from '#components/session/wording/call-words.ts'
import { Menu, MenuItem, MenuNote } from '#components/ui/menu.tsx'

const day = 86_400
/** The maximum time between the opening of a call and its deadline, in seconds. */
const cap = 30 * day

/**
 * Shows how long a call waits, as a button. Its menu says how the call ends without an answer, and extends the deadline
 * up to the maximum. Near the deadline, the button itself says how the call ends.
 */
export function CardDeadline({ call }: { call: Call }) {
  const { store, may } = useSessionContext()
  const now = useNow()
  if (now === undefined) return null
  const { late, words, outcome } = deadlineWords(call, now)
  const deadline = Date.parse(call.deadline)
  const latest = Date.parse(call.since) + cap * 1000
  const look = clsx(
    'shrink-0 whitespace-nowrap text-ui tabular-nums',
    late ? ['font-semibold', waitsForPerson(call) && 'text-you'] : 'text-muted'
  )
  if (!may.answer || deadline >= latest - 60_000)
    return (
      <span data-hook="call-deadline" data-late={late} title={outcome} className={look}>
        {words}
        <span className="sr-only">. {outcome}</span>
      </span>
    )
  const extend = (seconds: number) => {
    const until = Math.min(deadline + seconds * 1000, latest)
    void store.extend(call.toolCallId, Math.floor((until - Date.now()) / 1000))
  }
  return (
    <Menu
      trigger={
        <button
          type="button"
          data-hook="call-deadline"
          data-late={late}
          title={outcome}
          aria-label={`${words}. ${outcome} Add time`}
          className={clsx(
            look,
            'chevron tap rounded-sm border border-rail px-2 hover:border-ink hover:text-ink'
          )}
        >
          {words}
        </button>
      }
    >
      <MenuNote>{outcome}</MenuNote>
      <MenuItem data-hook="add-day" onSelect={() => extend(day)}>
        Add 1 day
      </MenuItem>
      <MenuItem data-hook="add-week" onSelect={() => extend(7 * day)}>
        Add 1 week
      </MenuItem>
    </Menu>
  )
}
