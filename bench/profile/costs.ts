import { sep } from 'node:path'

/** A CPU profile as V8 writes it (Chrome DevTools Protocol, `Profiler.Profile`). Times are in microseconds. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Milliseconds of CPU time, and the code that used them. */
export type Cost = { what: string; ms: number }

/** The frames that are no JavaScript. V8 puts their names in parentheses. */
const outside: Record<string, string> = {
  '(program)': 'Native code outside JavaScript, such as system calls',
  '(garbage collector)': 'Garbage collection'
}

/** Sums up the time of a profile itself, without callees, by area and by function, the largest first. */
export function costsOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  root: string
): { areas: Cost[]; functions: Cost[] } {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const areas = new Map<string, number>()
  const functions = new Map<string, number>()
  const add = (sums: Map<string, number>, what: string, ms: number) =>
    sums.set(what, (sums.get(what) ?? 0) + ms)
  for (const [n, id] of samples.entries()) {
    const frame = frames.get(id)
    if (frame === undefined || frame.functionName === '(idle)') continue
    const ms = (timeDeltas[n] ?? 0) / 1000
    const path = pathIn(frame.url, root)
    const named = outside[frame.functionName]
    add(areas, named ?? areaOf(path), ms)
    const name = frame.functionName || 'anonymous'
    add(functions, named ?? (path === '' ? name : `${name} (${path}:${frame.lineNumber + 1})`), ms)
  }
  return { areas: sorted(areas), functions: sorted(functions) }
}

const sorted = (sums: Map<string, number>): Cost[] =>
  [...sums].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms)

/** Returns the path of a script inside the project or a package, and `node:` names as they are. */
const pathIn = (url: string, root: string): string =>
  url
    .replace(/^file:\/\//, '')
    .replace(root + sep, '')
    .replace(/^.*node_modules\//, 'node_modules/')

/** Returns the package, the folder of the project or the part of Node that a script belongs to. */
function areaOf(path: string): string {
  const dependency = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  if (dependency !== undefined) return `Package ${dependency}`
  if (path.startsWith('node:')) return `Node: ${path.split(/[:/]/).slice(1, 3).join('/')}`
  // Functions without a script are built into V8 or Node, such as `writev` and `JSON.parse`.
  if (path === '') return 'Functions of V8 and Node, such as JSON and sockets'
  return path.split('/').slice(0, 2).join('/')
}
