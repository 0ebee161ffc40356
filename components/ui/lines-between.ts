/** A line of a diff. `…` replaces unchanged lines, and its text says how many: "12 unchanged lines". */
export type Line = { sign: ' ' | '−' | '+' | '…'; text: string }

/** Number of unchanged lines that are shown before and after a change. */
const beside = 2

/**
 * Maximum size of the table for the longest common subsequence, which takes a few milliseconds. Texts that
 * need more are compared only at their ends.
 */
const cells = 1_000_000

/**
 * Returns the differences between two texts, line by line, with as few removed and added lines as possible.
 * At each place, removed lines are first. Unchanged lines far from any change become one line. An empty text
 * has no lines.
 */
export function linesBetween(before: string, after: string): Line[] {
  const [old, now] = [before, after].map(text => (text === '' ? [] : text.split('\n'))) as [
    string[],
    string[]
  ]
  const lines: Line[] = []
  let [i, j] = [0, 0]
  for (const [oldAt, nowAt] of [...pairs(old, now), [old.length, now.length] as const]) {
    while (i < oldAt) lines.push({ sign: '−', text: old[i++] as string })
    while (j < nowAt) lines.push({ sign: '+', text: now[j++] as string })
    if (i < old.length) lines.push({ sign: ' ', text: old[i++] as string })
    j++
  }
  return folded(lines)
}

/**
 * Returns the pairs of equal lines, in order: those at both ends, and a longest common subsequence between
 * them.
 */
function pairs(old: string[], now: string[]): [number, number][] {
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const [oldEnd, nowEnd] = [old.length - tail, now.length - tail]
  const middle = common(old.slice(head, oldEnd), now.slice(head, nowEnd))
  return [
    ...Array.from({ length: head }, (_, at): [number, number] => [at, at]),
    ...middle.map(([i, j]): [number, number] => [head + i, head + j]),
    ...Array.from({ length: tail }, (_, at): [number, number] => [oldEnd + at, nowEnd + at])
  ]
}

function common(old: string[], now: string[]): [number, number][] {
  const width = now.length + 1
  if ((old.length + 1) * width > cells) return []
  // At [i, j]: the number of common lines of `old` from i and `now` from j.
  const length = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => length[i * width + j] as number
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      length[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const found: [number, number][] = []
  for (let i = 0, j = 0; i < old.length && j < now.length; )
    if (old[i] === now[j]) found.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  return found
}

/** Replaces unchanged lines that are far from any change. A single such line stays. */
function folded(lines: Line[]): Line[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - beside), index + beside + 1).some(({ sign }) => sign !== ' ')
  const shown: Line[] = []
  for (let from = 0, to = 0; from < lines.length; from = to) {
    while (to < lines.length && !isNear(to)) to++
    if (to - from > 1) shown.push({ sign: '…', text: `${to - from} unchanged lines` })
    else {
      to = from + 1
      shown.push(lines[from] as Line)
    }
  }
  return shown
}
