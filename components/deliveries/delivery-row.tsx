import type { DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { type ReactNode, useState } from 'react'
import { Attempts, deliveryLooks, isRepeatable } from '#components/session/content/delivery-facts.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { CheckIcon, ChevronIcon, MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'

export type Listed = DeliveryPage['deliveries'][number]

const kinds: Record<Listed['kind'], string> = {
  'call.opened': 'External tool',
  'call.settled': 'Answer for an agent',
  message: 'External agent',
  webhook: 'Webhook'
}

const glyphs: Record<Listed['state'], ReactNode> = {
  pending: <StateGlyph kind="reconnecting" />,
  delivered: <CheckIcon />,
  failed: <StateGlyph kind="failed" />,
  withdrawn: <StateGlyph kind="idle" />
}

/** The columns of the list on wide screens: time, session and URL, event, state, attempts and action. */
export const columns = 'wide:grid-cols-[96px_minmax(0,1fr)_168px_104px_72px_104px] gap-x-4'

type DeliveryRowProps = { delivery: Listed; onRepeat?: (() => void) | undefined }

/** A delivery in the list of the workspace. It opens to its attempts. A failed one is open at first. */
export function DeliveryRow({ delivery, onRepeat }: DeliveryRowProps) {
  const { sessionId, title, toolCallId, toolName, kind, event, createdAt, state, to, attempts } = delivery
  const [open, setOpen] = useState(state === 'failed')
  const call = toolCallId === undefined ? {} : { call: toolCallId }
  const name = event ?? toolName
  return (
    <li data-kind={kind} data-of={sessionId} className="border-b py-3">
      <div className={`grid grid-cols-[minmax(0,1fr)_auto] items-start gap-y-1 ${columns}`}>
        <button
          type="button"
          data-hook="show-attempts"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="reach flex w-fit items-center gap-1 text-muted hover:text-ink"
        >
          <span className={open ? 'rotate-90' : ''}>
            <ChevronIcon />
          </span>
          <span className="sr-only">Attempts at </span>
          <Time at={createdAt} />
        </button>
        <div className="min-w-0 max-wide:col-span-2">
          <Link
            href={sessionPath(sessionId, { inspect: 'deliveries', ...call })}
            prefetch={false}
            className="reach block truncate font-semibold no-underline hover:underline"
          >
            {sessionTitle(title, sessionId)}
          </Link>
          <p className="truncate font-mono text-mono text-muted" title={to}>
            {to}
          </p>
        </div>
        <div data-hook="delivery-event" className="min-w-0 text-muted [overflow-wrap:anywhere]">
          {name === undefined ? null : <p className="font-mono text-mono text-ink">{name}</p>}
          {kinds[kind]}
        </div>
        <span
          data-hook="delivery-state"
          data-state={state}
          className={`inline-flex items-center gap-1.5 capitalize max-wide:col-start-2 max-wide:row-start-1 max-wide:justify-self-end ${deliveryLooks[state]}`}
        >
          {glyphs[state]}
          {state}
        </span>
        <span className="text-right text-muted tabular-nums max-wide:sr-only">{attempts.length}</span>
        {onRepeat !== undefined && isRepeatable(delivery) ? (
          <div className="justify-self-end max-wide:col-start-2 max-wide:row-start-3 wide:-my-[5px]">
            {state === 'failed' ? (
              <Button onClick={onRepeat} data-hook="redeliver">
                Send again
              </Button>
            ) : (
              <DeliveryMenu onRepeat={onRepeat} />
            )}
          </div>
        ) : null}
      </div>
      {open ? (
        <div className="pt-2 mid:pl-5">
          <Attempts delivery={delivery} />
        </div>
      ) : null}
    </li>
  )
}

/** The actions of a delivery that arrived. Its receiver can get it twice, so the user confirms. */
function DeliveryMenu({ onRepeat }: { onRepeat: () => void }) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <IconButton data-hook="delivery-menu" label="More actions" className="-mr-[7px]">
            <MoreIcon />
          </IconButton>
        }
      >
        <MenuItem data-hook="redeliver" onSelect={() => setAsked(true)}>
          Send again…
        </MenuItem>
      </Menu>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title="Send this delivery again?"
        description="Its receiver accepted it, and gets it a second time under the same ID."
      >
        <ConfirmButtons
          act="Send again"
          onAct={() => {
            setAsked(false)
            onRepeat()
          }}
          onKeep={() => setAsked(false)}
        />
      </Dialog>
    </>
  )
}
