import type { WhenBusy } from '@waystation/protocol/session/session.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { IconButton } from '#components/ui/button.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

type SendMenuProps = {
  /** The agent works, so a message can wait, steer the turn or interrupt it. */
  busy: boolean
  /** The draft becomes an out-of-band message. */
  tell: boolean
  onSend: (whenBusy: WhenBusy) => void
  onTell: () => void
  onMessage: () => void
}

/** Other ways to send the draft. */
export function SendMenu({ busy, tell, onSend, onTell, onMessage }: SendMenuProps) {
  const { can } = useSessionContext()
  if (!busy && !can.tell) return null
  return (
    <Menu
      trigger={
        <IconButton label="More send options" data-hook="send-options">
          <MoreIcon />
        </IconButton>
      }
    >
      {busy && !tell ? (
        <>
          <MenuItem onSelect={() => onSend('queue')} hint="after this turn">
            Queue
          </MenuItem>
          <MenuItem onSelect={() => onSend('steer')} hint="before the next step">
            Steer
          </MenuItem>
          <MenuItem onSelect={() => onSend('interrupt')} hint="ends this turn">
            Interrupt
          </MenuItem>
        </>
      ) : null}
      {!can.tell ? null : tell ? (
        <MenuItem data-hook="cancel-tell" onSelect={onMessage}>
          Write a message
        </MenuItem>
      ) : (
        <MenuItem data-hook="tell-now" onSelect={onTell} hint="out of band">
          Tell now…
        </MenuItem>
      )}
    </Menu>
  )
}
