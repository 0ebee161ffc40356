import { MessageFile, MessageFiles } from '#components/session/content/attachments.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { RowProps } from './row-props.ts'

const states = {
  sending: 'Sending…',
  unsent: 'Not sent yet. The message is saved in this browser and will be sent when the server is back.',
  accepted: 'Accepted',
  refused: ''
} as const

/** A message that this browser is sending and that the log does not contain yet. */
export function PendingRow({ row: { send } }: RowProps<'pending'>) {
  const { store } = useSessionContext()
  return (
    <div className="text-person">
      <p className="font-semibold whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{send.text}</p>
      <MessageFiles>
        {send.files?.map(({ id, name, mediaType, size, url }) => (
          <MessageFile
            key={id}
            part={{ filename: name, mediaType, url, providerMetadata: { waystation: { size } } }}
          />
        ))}
      </MessageFiles>
      <p className={send.state === 'refused' ? 'text-ui text-fail' : 'text-ui text-muted'}>
        {send.refusal?.message ?? states[send.state]}
      </p>
      {send.state === 'refused' || send.state === 'unsent' ? (
        <div className="flex gap-2 pt-1">
          {send.state === 'refused' ? (
            <Button
              onClick={() => {
                store.discard(send.key)
                store.send(send.text, 'queue', { files: send.files })
              }}
            >
              Send again
            </Button>
          ) : null}
          <Button tone="quiet" onClick={() => store.discard(send.key)}>
            Discard message
          </Button>
        </div>
      ) : null}
    </div>
  )
}
