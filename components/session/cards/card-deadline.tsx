import type { Call } from '@waystation/protocol/call/call.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { deadlineWords } from '#components/session/wording/call-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

const day = 86_400
/** The maximum time between the opening of a call and its deadline, in seconds. */
const cap = 30 * day

/**
 * Shows until when a call waits and what happens then. Its buttons extend the deadline, up to the maximum.
 */
export function CardDeadline({ call }: { call: Call }) {
  const { store, may } = useSessionContext()
  const now = useNow()
  if (now === undefined) return null
  const { late, words } = deadlineWords(call, now)
  const deadline = Date.parse(call.deadline)
  const latest = Date.parse(call.since) + cap * 1000
  const extend = (seconds: number) => {
    const until = Math.min(deadline + seconds * 1000, latest)
    return store.extend(call.toolCallId, Math.floor((until - Date.now()) / 1000))
  }
  const capped = deadline >= latest - 60_000
  return (
    <>
      <span className={late ? `font-semibold ${waitsForPerson(call) ? 'text-you' : ''}` : 'text-muted'}>
        {words}
      </span>{' '}
      {!may.answer || capped ? null : late ? (
        <Button tone="quiet" onClick={() => extend(day)}>
          Add 1 day
        </Button>
      ) : (
        <Menu align="start" trigger={<Button tone="quiet">Add time</Button>}>
          <MenuItem onSelect={() => extend(day)}>Add 1 day</MenuItem>
          <MenuItem onSelect={() => extend(7 * day)}>Add 1 week</MenuItem>
        </Menu>
      )}
    </>
  )
}
