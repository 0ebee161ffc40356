import { MessageFile, MessageFiles } from '#components/session/content/attachments.tsx'
import { draftMessage } from '#components/session/store/composer-draft.ts'
import type { PendingSend } from '#components/session/store/outbox.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { OobFrame } from './out-of-band.tsx'
import { personPanel } from './person.tsx'
import type { RowProps } from './row-props.ts'

const states = {
  sending: 'Sending…',
  unsent: 'Not sent yet. The message is saved in this browser and will be sent when the server is back.',
  accepted: 'Accepted',
  refused: ''
} as const

/** A message that this browser is sending and that the log does not contain yet. */
export function PendingRow({ row: { send } }: RowProps<'pending'>) {
  const { sessionId, me } = useSessionContext()
  const { key, text, tell, at } = send
  if (tell !== undefined) {
    const { priority, ...metadata } = tell
    const told = { id: key, source: 'user', sourceId: me.name, priority, metadata, content: text } as const
    return (
      <OobFrame told={{ ...told, sessionId, status: 'visible', queuedAt: at, timestamp: Date.parse(at) }}>
        <SendState send={send} className="mt-1" />
      </OobFrame>
    )
  }
  return (
    <div className={personPanel}>
      <p className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{send.text}</p>
      <MessageFiles>
        {send.files?.map(({ id, name, mediaType, size, url }) => (
          <MessageFile
            key={id}
            part={{ filename: name, mediaType, url, providerMetadata: { waystation: { size } } }}
          />
        ))}
      </MessageFiles>
      <SendState send={send} />
    </div>
  )
}

/** Says whether the message is sent, or why it is not. Then the user can send it again or discard it. */
function SendState({ send, className }: { send: PendingSend; className?: string }) {
  const { sessionId, store } = useSessionContext()
  const refused = send.state === 'refused'
  return (
    <div className={className} data-hook="send-state" data-state={send.state}>
      <p
        role={refused ? 'alert' : undefined}
        className={refused ? 'text-ui text-fail' : 'text-ui text-muted'}
      >
        {send.refusal?.message ?? states[send.state]}
      </p>
      {refused || send.state === 'unsent' ? (
        <div className="flex flex-wrap gap-2 pt-1">
          {refused ? (
            <Button
              data-hook="send-again"
              onClick={() => {
                store.discard(send.key)
                if (send.tell === undefined) store.send(send.text, 'queue', { files: send.files })
                else store.sendOutOfBand(send.text, send.tell)
              }}
            >
              Send again
            </Button>
          ) : null}
          {refused && send.tell !== undefined ? (
            <Button
              data-hook="edit-message"
              onClick={() => {
                store.discard(send.key)
                draftMessage(sessionId, ({ text }) => ({
                  text: [send.text, text].filter(Boolean).join('\n'),
                  tell: send.tell
                }))
              }}
            >
              Edit message
            </Button>
          ) : null}
          <Button data-hook="discard-message" tone="quiet" onClick={() => store.discard(send.key)}>
            Discard message
          </Button>
        </div>
      ) : null}
    </div>
  )
}
