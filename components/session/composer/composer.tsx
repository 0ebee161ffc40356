import type { WhenBusy } from '@waystation/protocol/session/session.ts'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react'
import { useDraft } from '#components/browser/drafts.ts'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { emptyDraft } from '#components/session/store/composer-draft.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { usePeopleWaits } from '#components/session/store/use-waits.ts'
import { Button } from '#components/ui/button.tsx'
import { EnterIcon, MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { GrowingText } from '#components/ui/text-area.tsx'
import { ActiveItemBar, useActiveItem } from './active-item.tsx'
import { AttachButton } from './attach-button.tsx'
import { type AttachingFile, attach, detachAll, useAttachingFiles } from './attaching-file.ts'
import { AttachmentList } from './attachment-list.tsx'
import { Drop } from './drop.tsx'
import { TellBar } from './tell-bar.tsx'

/**
 * Returns true if the device probably has a physical keyboard. Then Enter sends and Shift+Enter adds a line.
 * On phones, Enter adds a line, as on their keyboards.
 */
const hasKeys = () => !matchMedia('(pointer: coarse)').matches

/**
 * The message field. Pending calls (`parked`) do not disable it. While the agent works (`busy`), the user can
 * queue a message, steer the turn or interrupt it. At any time, the draft can become an out-of-band message.
 */
export function Composer() {
  const { sessionId, store, may, agent, can } = useSessionContext()
  const status = useSessionState(state => state.transcript.status)
  const retries = useSessionState(state => state.transcript.retryAt !== undefined)
  const busy = status === 'running' || retries
  const parked = usePeopleWaits().length > 0 || status === 'parked'
  const speaker = useSpeaker()
  const told = useSessionState(state => state.session?.attaching)
  const limits = agent.attaching ?? told
  const attaching = limits && speaker.external ? { ...limits, all: true as const } : limits
  const files = useAttachingFiles(sessionId)
  const [draft, write] = useDraft(sessionId, 'composer', emptyDraft)
  const tell = can.tell ? draft.tell : undefined
  const [active] = useActiveItem(sessionId)
  const field = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()

  const hasText = draft.text.trim() !== ''
  const ready =
    tell === undefined
      ? files.every(({ state }) => state === 'ready') && (hasText || files.length > 0)
      : hasText && files.length === 0
  const send = (whenBusy: WhenBusy) => {
    if (!ready) return
    store.send(draft.text.trim(), whenBusy, {
      active: speaker.external && active.on ? active.item : undefined,
      files: files.length === 0 ? undefined : files.flatMap(({ kept }) => kept ?? [])
    })
    write({ text: '' })
    detachAll(store)
  }
  const openTell = () => {
    write({ tell: { priority: 'normal' } })
    field.current?.focus()
  }
  const closeTell = () => {
    write({ tell: undefined })
    field.current?.focus()
  }
  const submit = () => {
    if (tell === undefined) return send('queue')
    if (!ready) return
    store.sendOutOfBand(draft.text.trim(), tell)
    write({ text: '', tell: undefined })
  }
  useHotkeys('Session', [
    ...(!can.ownsPage || !may.send
      ? []
      : [{ keys: '/', label: 'Go to the message field', run: () => field.current?.focus() }]),
    ...(may.send ? [{ keys: 'mod+Enter', label: 'Send the message', within: field, run: submit }] : []),
    ...(may.send && can.tell
      ? [
          {
            keys: 'alt+Enter',
            label: 'Tell now: make the text an out-of-band message, then send it',
            within: field,
            run: () => (tell === undefined ? openTell() : submit())
          }
        ]
      : [])
  ])
  const onFiles = (given: readonly File[]) => {
    if (attaching === undefined || given.length === 0) return
    attach(store, given, attaching)
    field.current?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    // Office programs also copy a picture of the text. The user means the text.
    if (attaching === undefined || event.clipboardData.types.includes('text/plain')) return
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    onFiles([...event.clipboardData.files])
  }
  const onEscape = (event: KeyboardEvent) => {
    event.preventDefault()
    closeTell()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return tell === undefined ? field.current?.blur() : onEscape(event)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !hasKeys()) return
    event.preventDefault()
    submit()
  }
  if (!may.send)
    return (
      <div className="shrink-0 border-t pr-5 mid:px-6">
        <div className="column">
          <p className="py-3 pl-(--gutter) text-muted">
            You can read this session but not write in it.{can.members ? ' Ask an owner for access.' : ''}
          </p>
        </div>
      </div>
    )
  return (
    <div className="shrink-0 border-t bg-panel has-[[data-composer]:focus-visible]:border-ink pr-5 pb-[env(safe-area-inset-bottom)] mid:px-6">
      <div className="column">
        {tell === undefined ? null : (
          <TellBar
            tell={tell}
            onChange={change => write({ tell: { ...tell, ...change } })}
            onClose={closeTell}
          />
        )}
        {attaching === undefined ? null : <AttachmentList files={files} attaching={attaching} />}
        <div className="flex items-end gap-2 py-2 pl-(--gutter)">
          <GrowingText
            ref={field}
            data-composer={sessionId}
            aria-label={`${tell === undefined ? 'Message' : 'Out-of-band message'} to ${speaker.displayName}`}
            aria-describedby={parked ? hintId : undefined}
            placeholder={parked ? 'Message (the request stays open)' : 'Message'}
            value={draft.text}
            rows={1}
            onChange={event => write({ text: event.target.value })}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="tap max-h-[30dvh] min-h-[30px] min-w-0 flex-1 bg-transparent py-1.5 text-person outline-none mid:py-[5px]"
          />
          {parked ? (
            <span id={hintId} className="sr-only">
              Sending a message won't cancel the pending request.
            </span>
          ) : null}
          {attaching === undefined || tell !== undefined ? null : <AttachButton onFiles={onFiles} />}
          <Button
            data-hook="send-message"
            disabled={!ready}
            title={tell === undefined ? waitsFor(files) : files.length > 0 ? noFiles : undefined}
            onClick={submit}
            tone={ready ? 'primary' : 'plain'}
          >
            {tell !== undefined ? 'Tell now' : busy ? 'Queue' : 'Send'} <EnterIcon />
          </Button>
          {busy || can.tell ? (
            <Menu
              trigger={
                <Button aria-label="More send options" data-hook="send-options" className="px-1.5">
                  <MoreIcon />
                </Button>
              }
            >
              {busy && tell === undefined ? (
                <>
                  <MenuItem onSelect={() => send('queue')} hint="after this turn">
                    Queue
                  </MenuItem>
                  <MenuItem onSelect={() => send('steer')} hint="before the next step">
                    Steer
                  </MenuItem>
                  <MenuItem onSelect={() => send('interrupt')} hint="ends this turn">
                    Interrupt
                  </MenuItem>
                </>
              ) : null}
              {!can.tell ? null : tell === undefined ? (
                <MenuItem data-hook="tell-now" onSelect={openTell} hint="out of band">
                  Tell now…
                </MenuItem>
              ) : (
                <MenuItem data-hook="cancel-tell" onSelect={closeTell}>
                  Write a message
                </MenuItem>
              )}
            </Menu>
          ) : null}
        </div>
        {attaching === undefined ? null : <Drop onFiles={onFiles} />}
        {speaker.external && can.members ? <ActiveItemBar /> : null}
      </div>
    </div>
  )
}

const noFiles = 'Remove the files first. Out-of-band messages have no files.'

/** Returns why files prevent sending the message, or undefined if they do not. */
function waitsFor(files: readonly AttachingFile[]): string | undefined {
  if (files.some(({ state }) => state === 'uploading')) return 'Waiting for uploads to finish'
  return files.some(({ state }) => state === 'failed') ? 'Remove the failed files first' : undefined
}
