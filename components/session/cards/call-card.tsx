import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { clsx } from 'clsx'
import { type ReactNode, useContext, useId, useRef } from 'react'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { useNow } from '#components/browser/use-now.ts'
import { CustomWidgetsContext, customWidgetFor } from '#components/session/cards/widgets/custom-widgets.ts'
import type { CardPlace } from '#components/session/cards/widgets/widget.ts'
import { WidgetBoundary } from '#components/session/cards/widgets/widget-boundary.tsx'
import { widgetFor } from '#components/session/cards/widgets/widget-for.ts'
import { Prose } from '#components/session/content/markdown.tsx'
import { answerTo, isBusy } from '#components/session/store/outbox.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { sentWords, troubleOf } from '#components/session/wording/delivery-words.ts'
import { fieldWords } from '#components/session/wording/field-words.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { AccountLine } from './account-line.tsx'
import { CallInput } from './call-input.tsx'
import { CardDeadline } from './card-deadline.tsx'
import { UndoAnswer } from './undo-answer.tsx'

/** How long a user can undo an answer that one click gave. */
const undoMs = 5000

type CallCardProps = {
  call: Call
  place: CardPlace
  /** Shown before the deadline: the position of the card, and an action for several cards. */
  beside?: ReactNode
}

/**
 * Shows one pending call: its heading, its deadline and the widget that answers it. The dock, the row and the
 * sheet show the same card with one shared draft. Inside the card, ⌘/Ctrl ↵ is the only shortcut for its
 * primary button.
 */
export function CallCard({ call, place, beside }: CallCardProps) {
  const { can, may, me, store } = useSessionContext()
  const pending = useSessionState(state => answerTo(state.pending, call))
  const id = useId()
  const system = call.kind === 'external' || call.kind === 'agent'
  const Widget = widgetFor(call)
  const Custom = customWidgetFor(useContext(CustomWidgetsContext), call)
  const head = cardHeading(call, Custom !== undefined)
  const barred = may.answer && !system ? whyNotAnswerable(call, me) : undefined
  const named = can.members ? answererPhrase(call) : undefined
  const whoMay = `You can view this request, but only ${named ?? me.approvers ?? 'an approver'} can answer it.`
  const busy = isBusy(pending)

  const answer = (given: Answer, { undo } = { undo: false }) =>
    store.answer(call.toolCallId, given, undo ? undoMs : 0)
  const widget = <Widget call={call} answer={answer} />

  const card = useRef<HTMLElement>(null)
  useHotkeys('Requests', [
    {
      keys: 'mod+Enter',
      label: 'Press the first button of the request that has the focus',
      within: card,
      run: () => card.current?.querySelector<HTMLButtonElement>('[data-primary]:enabled')?.click()
    }
  ])

  return (
    <section
      ref={card}
      aria-labelledby={id}
      data-call={call.toolCallId}
      data-place={place}
      // The keyboard of a page moves the focus to the card.
      tabIndex={place === 'page' ? -1 : undefined}
      className={clsx(
        'flex min-w-0 flex-col gap-2',
        place === 'dock' && 'py-3',
        place === 'page' && 'border-t-2 border-t-you bg-you-tint px-4 py-3',
        place === 'inline' && (system ? 'border-l border-l-other pl-4' : 'border-l-2 border-l-you pl-4'),
        place === 'sheet' && 'flex-1 pt-2'
      )}
    >
      <header className="flex flex-col gap-1">
        <div className="flex items-start gap-3">
          <h2 id={id} className="min-w-0 flex-1 text-person font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={head.title} />
          </h2>
          {beside}
          <CardDeadline call={call} />
        </div>
        {system || head.why !== '' ? (
          <p data-hook="call-reason" className="text-muted text-ui">
            {system ? <SystemLine call={call} /> : head.why}
          </p>
        ) : null}
        <AccountLine call={call} />
      </header>
      {typeof call.render?.detail === 'string' ? (
        <div data-hook="call-detail">
          <Prose text={call.render.detail} />
        </div>
      ) : null}
      {barred === undefined ? null : (
        <p id={`${id}-barred`} data-hook="barred" className="text-ui font-semibold">
          {barred}
        </p>
      )}
      {pending?.state === 'held' ? (
        <UndoAnswer held={pending} />
      ) : may.answer || system ? (
        <fieldset
          disabled={busy || barred !== undefined}
          aria-describedby={barred === undefined ? undefined : `${id}-barred`}
          className="flex min-w-0 flex-1 flex-col gap-3"
        >
          {Custom === undefined ? (
            widget
          ) : (
            <WidgetBoundary fallback={widget}>
              <Custom call={call} answer={given => answer(given)} busy={busy} />
            </WidgetBoundary>
          )}
        </fieldset>
      ) : (
        <>
          <p data-hook="who-may-answer" className="text-ui">
            {whoMay}
          </p>
          {call.kind === 'limit' ? null : <CallInput call={call} input={call.input} />}
        </>
      )}
      {pending?.state === 'unsent' ? (
        <p data-hook="unsent-answer" className="text-ui text-muted">
          Not sent yet. Your answer is saved in this browser and will be sent when the server is back.
        </p>
      ) : null}
      {pending?.refusal === undefined ? null : (
        <p role="alert" data-hook="refused-answer" className="text-ui text-fail">
          {!can.members && pending.refusal.code === 'FORBIDDEN' ? whoMay : pending.refusal.message}{' '}
          {fieldWords(pending.refusal.fields)}
        </p>
      )}
    </section>
  )
}

/** Shows the delivery of a call to an external service and its errors, or that a sub-agent is working. */
function SystemLine({ call }: { call: Call }) {
  const delivery = useSessionState(state => state.deliveries[call.toolCallId])
  const now = useNow()
  if (call.kind === 'agent') return <span>The sub-agent is working in its own session.</span>
  const trouble = troubleOf(call, delivery)
  return (
    <span
      data-hook="call-delivery"
      data-trouble={trouble}
      data-delivery={delivery?.state}
      className={trouble === undefined ? '' : 'text-fail'}
    >
      {sentWords(call, delivery, now)}
    </span>
  )
}
