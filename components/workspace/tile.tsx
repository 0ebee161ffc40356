import { clsx } from 'clsx'

/** The initials of a name in a square, in place of a logo. For a person, they are in a circle. */
export const Tile = ({ name, round = false }: { name: string; round?: boolean }) => (
  <span
    aria-hidden="true"
    className={clsx(
      'flex size-9 shrink-0 items-center justify-center border bg-panel font-semibold text-muted',
      round ? 'rounded-full' : 'rounded-sm'
    )}
  >
    {initialsOf(name)}
  </span>
)

/** The first letters of the first and the last word, or the first two letters of one. */
function initialsOf(name: string): string {
  const [first = '', ...others] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const last = others.at(-1)
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]]
  return letters.join('').toUpperCase() || '?'
}
