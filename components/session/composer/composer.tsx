import type { WhenBusy } from '@waystation/protocol/session/session.ts'
import {
  type ClipboardEvent,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef
} from 'react'
import { useDraft } from '#components/browser/drafts.ts'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { useWide } from '#components/browser/use-media.ts'
import { emptyDraft } from '#components/session/store/composer-draft.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { usePeopleWaits } from '#components/session/store/use-waits.ts'
import { Button } from '#components/ui/button.tsx'
import { EnterIcon } from '#components/ui/icons.tsx'
import { GrowingText } from '#components/ui/text-area.tsx'
import { AttachButton } from './attach-button.tsx'
import { type AttachingFile, attach, detachAll, useAttachingFiles } from './attaching-file.ts'
import { AttachmentList } from './attachment-list.tsx'
import { Drop } from './drop.tsx'
import type { InsertsProps } from './inserts.tsx'
import { SendMenu } from './send-menu.tsx'
import { TellBar } from './tell-bar.tsx'
import { useActiveItem } from './use-active-item.ts'

/**
 * Returns true if the device probably has a physical keyboard. Then Enter sends and Shift+Enter adds a line.
 * On phones, Enter adds a line, as on their keyboards.
 */
const hasKeys = () => !matchMedia('(pointer: coarse)').matches

/** Parts of the playground, which the React package leaves out. */
export type ComposerExtras = {
  /** Below the text, on wide screens. */
  chips?: ReactNode
  meter?: ReactNode
  /** Lists what `/` and `@` insert. */
  Inserts?: ComponentType<InsertsProps>
  /** Chooses the item that is sent to an external agent with messages. */
  ActiveItem?: ComponentType
}

/**
 * The message field. Pending calls (`parked`) do not disable it. While the agent works (`busy`), the user can
 * queue a message, steer the turn or interrupt it. At any time, the draft can become an out-of-band message.
 */
export function Composer({ chips, meter, Inserts, ActiveItem }: ComposerExtras) {
  const { sessionId, store, may, agent, can } = useSessionContext()
  const status = useSessionState(state => state.transcript.status)
  const retries = useSessionState(state => state.transcript.retryAt !== undefined)
  const busy = status === 'running' || retries
  const people = usePeopleWaits()
  const parked = people.length > 0 || status === 'parked'
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
  const isAsked = people.some(({ kind }) => kind === 'question')
  // On a phone, a longer placeholder would make the field higher.
  const wide = useWide()

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
            label: 'Tell now: make the text a signal, then send it',
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
    <div className="shrink-0 pt-3 pr-5 pb-[max(12px,env(safe-area-inset-bottom))] mid:px-6">
      <div className="column">
        <div className="pl-(--gutter)">
          {/* Its left edge is on the rail, and its text in the column of the messages. */}
          <div className="relative -mx-3 rounded-sm border border-rail bg-ground p-[11px] outline-ink has-[[data-composer]:focus-visible]:border-ink has-[[data-composer]:focus-visible]:outline max-mid:py-0.5 max-mid:pr-0.5">
            {Inserts === undefined || tell !== undefined || !/[/@]/.test(draft.text) ? null : (
              <Inserts field={field} text={draft.text} onText={text => write({ text })} />
            )}
            {tell === undefined ? null : (
              <TellBar
                tell={tell}
                onChange={change => write({ tell: { ...tell, ...change } })}
                onClose={closeTell}
              />
            )}
            {attaching === undefined ? null : <AttachmentList files={files} attaching={attaching} />}
            <div className="flex flex-wrap items-end gap-1 mid:gap-2">
              <GrowingText
                ref={field}
                data-composer={sessionId}
                aria-label={`${tell === undefined ? 'Message' : 'Signal'} to ${speaker.displayName}`}
                aria-describedby={parked ? hintId : undefined}
                placeholder={`Message${!wide ? '' : isAsked ? ' (the question stays open)' : Inserts ? ', or / for tools' : ''}`}
                value={draft.text}
                rows={1}
                onChange={event => write({ text: event.target.value })}
                onKeyDown={onKeyDown}
                onPaste={onPaste}
                className="tap max-h-[30dvh] min-h-[30px] min-w-0 flex-1 bg-transparent text-person outline-none max-mid:py-[11px] mid:basis-full"
              />
              {attaching === undefined || tell !== undefined ? null : (
                <span className="mid:-ml-2">
                  <AttachButton onFiles={onFiles} />
                </span>
              )}
              <div className="hidden min-w-0 flex-1 items-center gap-2 mid:flex">{chips}</div>
              {meter}
              <SendMenu
                busy={busy}
                tell={tell !== undefined}
                onSend={send}
                onTell={openTell}
                onMessage={closeTell}
              />
              <Button
                data-hook="send-message"
                disabled={!ready}
                title={tell === undefined ? waitsFor(files) : files.length > 0 ? noFiles : undefined}
                onClick={submit}
                tone="primary"
              >
                {tell !== undefined ? 'Tell now' : busy ? 'Queue' : 'Send'}
                <span className="hidden mid:inline">
                  <EnterIcon />
                </span>
              </Button>
            </div>
            {parked ? (
              <p id={hintId} className={hasText ? 'pt-2 text-muted' : 'sr-only'}>
                Sending a message won't cancel the request above.
              </p>
            ) : null}
            {attaching === undefined ? null : <Drop onFiles={onFiles} />}
            {speaker.external && ActiveItem !== undefined ? <ActiveItem /> : null}
          </div>
        </div>
      </div>
    </div>
  )
}

const noFiles = 'Remove the files first. Signals have no files.'

/** Returns why files prevent sending the message, or undefined if they do not. */
function waitsFor(files: readonly AttachingFile[]): string | undefined {
  if (files.some(({ state }) => state === 'uploading')) return 'Waiting for uploads to finish'
  return files.some(({ state }) => state === 'failed') ? 'Remove the failed files first' : undefined
}
