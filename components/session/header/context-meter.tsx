import { useSessionContext } from '#components/session/store/session-context.ts'
import { useContextView } from '#components/session/store/use-context-view.ts'
import {
  type Fill,
  type Fullness,
  fillOf,
  fillSentence,
  fullnessOf,
  fullnessWords,
  inPercent
} from '#components/session/wording/context-words.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { usePopover } from '#components/ui/use-popover.ts'

const ContextFill = lazyPart(
  async () => (await import('#components/session/content/context-fill.tsx')).ContextFill
)

/** From this share on, the percentage is shown next to the ring. */
const numbered = 0.5

/** `mark` is in the middle of the ring and shows the fullness without color: none, a dot or a "!". */
const looks: Record<Fullness, { button: string; ring: string; mark?: string }> = {
  fine: { button: 'text-muted hover:text-ink', ring: 'text-muted' },
  warning: { button: 'font-semibold text-ink', ring: 'text-ink', mark: 'M8 8h.01' },
  danger: { button: 'font-semibold text-fail', ring: 'text-fail', mark: 'M8 5v3.4M8 10.9h.01' }
}

/**
 * Shows how much of the model's context the next prompt takes (001-17). A click shows what takes it, with a link to the
 * context in the inspector. Renders nothing if the context limit is unknown.
 */
export function ContextMeter() {
  const { view } = useContextView({ shown: 0 })
  return view?.contextTokens === undefined ? null : <Meter fill={fillOf(view)} />
}

function Meter({ fill }: { fill: Fill }) {
  const { go } = useSessionContext()
  const { button, list, open, close } = usePopover('end')
  const fullness = fullnessOf(fill.share)
  const words = fullnessWords(fill.share)
  const sentence = fillSentence(fill)
  return (
    <>
      <button
        ref={button}
        type="button"
        data-hook="context-meter"
        aria-label={sentence}
        aria-haspopup="dialog"
        title={sentence}
        className={`tap ${fullness === 'fine' ? 'hidden mid:inline-flex' : 'inline-flex'} h-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm px-[7px] tabular-nums ${looks[fullness].button}`}
      >
        <Donut share={fill.share} />
        {fill.share < numbered ? null : inPercent(fill.share)}
        {words === undefined ? null : <span className="hidden mid:inline">{words}</span>}
      </button>
      <div
        ref={list}
        popover="auto"
        role="dialog"
        aria-label="Context"
        data-hook="context-popover"
        className="fixed inset-auto m-0 w-[min(360px,calc(100vw-16px))] rounded-sm border bg-raised p-4 text-ink text-ui shadow-overlay"
      >
        {open ? (
          <>
            <ContextFill fill={fill} />
            <p className="pt-3">
              <Button
                tone="quiet"
                data-hook="open-context"
                onClick={() => {
                  close()
                  go({ inspect: 'context' })
                }}
              >
                Show context
              </Button>
            </p>
          </>
        ) : null}
      </div>
    </>
  )
}

const ring = { cx: 8, cy: 8, r: 6.25 }

/**
 * Shows how full the context is, as a ring of 16 px. `share` is 1 at the limit. Screen readers skip it,
 * because the button has a label.
 */
function Donut({ share }: { share: number }) {
  const fullness = fullnessOf(share)
  const { ring: tone, mark } = looks[fullness]
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      data-fullness={fullness}
      aria-hidden="true"
      className={`shrink-0 ${tone}`}
    >
      <circle {...ring} strokeWidth="1" className="stroke-rail" />
      <circle
        {...ring}
        strokeWidth={fullness === 'fine' ? 2.5 : 3}
        pathLength="100"
        strokeDasharray={`${Math.min(share, 1) * 100} 100`}
        transform="rotate(-90 8 8)"
      />
      {mark === undefined ? null : (
        <path d={mark} strokeWidth={fullness === 'warning' ? 3 : 1.75} strokeLinecap="round" />
      )}
    </svg>
  )
}
