import { waitingFor } from '@waystation/protocol/call/pending.ts'
import { useState } from 'react'
import { CancelDialog } from '#components/session/content/cancel-wait.tsx'
import { followCurl } from '#components/session/store/follow-curl.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { policyHint } from '#components/session/wording/out-of-band-words.ts'
import { IconButton } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem, MenuLine } from '#components/ui/menu.tsx'
import { GrantsDialog, HandoffDialog, OobPolicyDialog } from './dialogs.ts'
import { useReadAloud } from './read-aloud.ts'

type SessionMenuProps = { onKeys: () => void; onDeleted: (() => void) | undefined }

/**
 * The menu for less frequent actions, such as copying, exporting, canceling pending calls and deleting.
 * Actions that cannot be undone ask first.
 */
export function SessionMenu({ onKeys, onDeleted }: SessionMenuProps) {
  const { sessionId, store, may, can, agent } = useSessionContext()
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'policy' | 'grants' | 'handOver'>()
  const close = () => setAsking(undefined)
  const aloud = useReadAloud()
  const calls = useSessionState(state => state.transcript.calls)
  const hint = policyHint(useSessionState(state => state.transcript.oobPolicy))
  const waiting = waitingFor(Object.values(calls))
  const copy = (text: string) => void navigator.clipboard.writeText(text)
  const remove = async () => {
    close()
    if (await store.remove()) onDeleted?.()
  }
  return (
    <>
      <Menu
        trigger={
          <IconButton data-hook="session-menu" label="More actions">
            <MoreIcon />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => copy(sessionId)}>Copy session ID</MenuItem>
        <MenuItem onSelect={() => copy(followCurl(store, 0))}>Copy as curl</MenuItem>
        <MenuItem
          data-hook="export-session"
          onSelect={() => download(store.client.href('exportSession', { path: store.path }))}
          hint="everything, as JSON Lines"
        >
          Export session…
        </MenuItem>
        <MenuItem onSelect={onKeys} hint="?">
          Keyboard shortcuts
        </MenuItem>
        <MenuItem
          data-hook={aloud.on ? 'stop-reading' : 'read-aloud'}
          disabled={!aloud.can}
          onSelect={aloud.toggle}
          hint={aloud.can ? undefined : 'no voices in this browser'}
        >
          {aloud.on ? 'Stop reading replies aloud' : 'Read replies aloud'}
        </MenuItem>
        <MenuItem data-hook="open-policy" onSelect={() => setAsking('policy')} hint={hint}>
          Signals…
        </MenuItem>
        {!can.members ? null : (
          <MenuItem data-hook="open-grants" onSelect={() => setAsking('grants')}>
            Remembered approvals…
          </MenuItem>
        )}
        {!can.members || agent.external || !may.send ? null : (
          <MenuItem data-hook="open-handoff" onSelect={() => setAsking('handOver')}>
            Hand off session…
          </MenuItem>
        )}
        {may.answer && waiting.length > 0 ? (
          <>
            <MenuLine />
            <MenuItem data-hook="cancel-waits" onSelect={() => setAsking('cancel')}>
              {waiting.length === 1 ? 'Cancel request' : `Cancel all ${waiting.length} requests`}
            </MenuItem>
          </>
        ) : null}
        {may.send ? (
          <>
            <MenuLine />
            <MenuItem danger onSelect={() => setAsking('delete')}>
              Delete session…
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {asking === 'policy' ? <OobPolicyDialog onClose={close} /> : null}
      {asking === 'grants' ? <GrantsDialog onClose={close} /> : null}
      {asking === 'handOver' ? <HandoffDialog onClose={close} /> : null}
      <CancelDialog calls={waiting} open={asking === 'cancel'} onOpenChange={close} />
      <Dialog
        open={asking === 'delete'}
        onOpenChange={close}
        title="Delete this session?"
        description="This deletes its messages, log and pending requests. This can't be undone."
      >
        <ConfirmButtons act="Delete session" onAct={() => void remove()} onKeep={close} />
      </Dialog>
    </>
  )
}

/** Downloads a URL. The server names the file, and the browser writes it to disk while it receives it. */
function download(url: string): void {
  Object.assign(document.createElement('a'), { href: url, download: '' }).click()
}
