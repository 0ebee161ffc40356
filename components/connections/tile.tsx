/** A square with the first letters of a name, in place of a logo. */
export const Tile = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="flex size-9 shrink-0 items-center justify-center rounded-sm border bg-panel font-semibold text-muted"
  >
    {lettersOf(name)}
  </span>
)

/** The first letters of two words, or the first two letters of one. */
function lettersOf(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase() || '?'
}
