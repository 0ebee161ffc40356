import {
  count,
  type Fill,
  fillWords,
  fullnessOf,
  inPercent
} from '#components/session/wording/context-words.ts'

/** The looks of the parts, from the first to the last. Neighbors differ, and each has its place in the legend too. */
const looks = ['bg-ink', 'bg-ink/60', 'bg-ink/30', 'bg-rail', 'bg-ink/80', 'bg-ink/45', 'bg-ink/15']

/** The parts of the prompt as one bar, with a legend of their sizes in tokens and their shares of the prompt. */
export function ContextFill({ fill }: { fill: Fill }) {
  const { limit, share, parts } = fill
  const fullness = fullnessOf(share)
  const shown = parts.flatMap((part, at) => (part.tokens === 0 ? [] : [{ ...part, look: looks[at] }]))
  return (
    <div>
      <p
        data-hook="context-fill"
        className={`font-semibold tabular-nums ${limit !== undefined && fullness === 'danger' ? 'text-fail' : ''}`}
      >
        {fillWords(fill)}
      </p>
      <div aria-hidden="true" className="mt-2 flex h-3 gap-px overflow-hidden rounded-sm">
        {shown.map(({ name, tokens, look }) => (
          <span
            key={name}
            title={`${name}: ${count(tokens)}`}
            className={`min-w-0.5 basis-0 ${look}`}
            style={{ flexGrow: tokens }}
          />
        ))}
      </div>
      <ul
        aria-label="Prompt contents"
        data-hook="prompt-parts"
        className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(200px,1fr))] gap-x-6 tabular-nums"
      >
        {shown.map(({ name, tokens, share, look }) => (
          <li key={name} className="grid grid-cols-[10px_minmax(0,1fr)_auto_44px] items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 rounded-[2px] ${look}`} />
            <span className="truncate">{name}</span>
            <span className="text-right">{count(tokens)}</span>
            <span className="text-right text-muted">{inPercent(share)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
