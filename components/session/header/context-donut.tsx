import { type Fullness, fullnessOf } from '#components/session/wording/context-words.ts'

const tones: Record<Fullness, string> = { fine: 'text-muted', warning: 'text-ink', danger: 'text-fail' }

/** The mark in the middle, which shows the fullness without color: none, a dot or a "!". */
const marks: Record<Fullness, string | undefined> = {
  fine: undefined,
  warning: 'M8 8h.01',
  danger: 'M8 5v3.4M8 10.9h.01'
}

/**
 * Shows how full the context is, as a ring of 16 px. `share` is 1 at the limit. Screen readers skip it, so
 * the parent needs a label.
 */
export function ContextDonut({ share }: { share: number }) {
  const fullness = fullnessOf(share)
  const mark = marks[fullness]
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      data-fullness={fullness}
      aria-hidden="true"
      className={`shrink-0 ${tones[fullness]}`}
    >
      <circle cx="8" cy="8" r="6.25" strokeWidth="1" className="stroke-rail" />
      <circle
        cx="8"
        cy="8"
        r="6.25"
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
