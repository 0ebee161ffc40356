import { clsx } from 'clsx'
import { clock, left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { CutText } from '#components/ui/cut-text.tsx'
import { describe, isForSeveral, keyOf, type Request } from './request.ts'

type RequestRowProps = {
  request: Request
  agent: string
  open: boolean
  /** `byKey` is true for a press with the keyboard. */
  onOpen: (byKey: boolean) => void
  checked: boolean
  /** Undefined if the request cannot be selected together with the selected ones. */
  onCheck: (() => void) | undefined
}

/** A request in the list: what it asks, its agent, session and addressee, and its deadline. */
export function RequestRow({ request, agent, open, onOpen, checked, onCheck }: RequestRowProps) {
  const now = useNow()
  const { mine, sessionId } = request
  const { title, sender, forPerson, asked, until, isDue, isNear } = describe(request, now)
  const session = sessionTitle(request.title, sessionId)
  const who = mine && asked === 'You' ? undefined : asked
  return (
    <li
      data-mine={mine}
      className={clsx('group/row relative border-b hover:bg-panel', open && 'split:bg-panel')}
    >
      <button
        type="button"
        data-waits
        data-key={keyOf(request)}
        aria-current={open}
        onClick={({ detail }) => onOpen(detail === 0)}
        className={clsx(
          'grid min-h-14 w-full grid-cols-[16px_minmax(0,1fr)_auto] gap-x-2 py-2 pr-3 pl-2 text-left outline-offset-[-2px]',
          open && 'split:border-l-2 split:border-l-ink split:pl-1.5'
        )}
      >
        <span
          className={clsx(
            'flex h-5 items-center',
            onCheck &&
              (checked ? 'not-pointer-coarse:opacity-0' : 'not-pointer-coarse:group-hover/row:opacity-0')
          )}
        >
          <StateGlyph kind={forPerson ? (mine ? 'parked' : 'not-mine') : 'parked-other'} />
        </span>
        <span className="min-w-0">
          <CutText text={title} className={mine ? 'font-semibold' : ''} />
          <span className="block truncate text-muted">
            {sender ?? agent}
            {who === undefined ? null : (
              <span data-hook="asked">
                {' · '}
                <span className="sr-only">for </span>
                {who}
              </span>
            )}
            {' · '}
            <span>{session}</span>
          </span>
        </span>
        {now === undefined ? (
          <span />
        ) : (
          <span
            data-hook="deadline"
            data-near={isNear}
            data-waits-for={forPerson ? 'person' : 'system'}
            className={clsx(
              'whitespace-nowrap tabular-nums',
              isNear ? ['font-semibold', forPerson ? 'text-you' : 'text-other'] : 'text-muted'
            )}
          >
            {until === undefined ? (
              'no deadline'
            ) : (
              <time dateTime={until} title={clock(until, now)}>
                {isDue ? 'due' : `${left(until, now)} left`}
              </time>
            )}
          </span>
        )}
      </button>
      {isForSeveral(request) && onCheck !== undefined ? (
        <Checkbox
          data-hook="select-request"
          checked={checked}
          onChange={onCheck}
          className={clsx(
            'absolute top-0 left-0 h-9 w-7 grid-cols-none! justify-center focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:top-3 pointer-coarse:right-0 pointer-coarse:left-auto pointer-coarse:size-11 pointer-coarse:opacity-100',
            !checked && 'opacity-0'
          )}
        >
          <span className="sr-only">Select: {title}</span>
        </Checkbox>
      ) : null}
    </li>
  )
}
