import { readAlarm } from '@waystation/protocol/session/alarm-message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { clsx } from 'clsx'
import { MessageFiles } from '#components/session/content/attachments.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { kerningOf } from '#components/ui/long-words.ts'
import { Time } from '#components/ui/time.tsx'
import { EditMessage, useEdit } from './edit-message.tsx'
import { FileLink } from './file.tsx'
import type { RowProps } from './row-props.ts'

/** The surface of a user's message. It starts at the rail. Without hover, its right end has space for the menu. */
export const personPanel = '-mx-3 rounded-sm bg-panel px-3 py-2.5 text-person [@media(hover:none)]:pr-9'

/**
 * A user's message, in the font of the UI. Shows the name of the sender where it changes. The message of an alarm is shown as a reminder, with its local time.
 */
export function PersonRow({ row, before }: RowProps<'person'>) {
  const { me } = useSessionContext()
  const edited = useEdit(row.message.id)
  const text = textOf(row.message)
  const { sentBy, active } = row.message.metadata ?? {}
  const alarm = readAlarm(sentBy, text)
  if (alarm !== undefined)
    return (
      <div data-hook="reminder" className={personPanel}>
        <span className="text-ui text-muted">
          {sentBy} · <Time at={alarm.dueAt} />
        </span>
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">Reminder: {alarm.reminder}</p>
      </div>
    )
  return (
    <div data-hook="message-bubble" data-role="user" className={personPanel}>
      {sentBy === undefined || sentBy === (before ?? me.name) ? null : (
        <span data-hook="sent-by" className="text-ui text-muted">
          {sentBy === me.name ? 'You' : sentBy}
        </span>
      )}
      {edited === null ? (
        <p className={clsx('whitespace-pre-wrap [overflow-wrap:anywhere] empty:hidden', kerningOf(text))}>
          {text}
        </p>
      ) : (
        <EditMessage message={row.message} text={edited} />
      )}
      <MessageFiles>
        {row.message.parts.map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a message's parts never changes
          part.type === 'file' ? <FileLink key={index} part={part} /> : null
        )}
      </MessageFiles>
      {active === undefined ? null : (
        <p data-hook="sent-item" className="text-ui text-muted [overflow-wrap:anywhere]">
          Active item: {active.name ?? active.id}
        </p>
      )}
    </div>
  )
}
