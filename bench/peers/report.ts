import type { Machine } from '#bench/machine.ts'
import type { PeerFigures } from './compare.ts'
import type { Peer } from './peer.ts'

type Column = { title: string; unit: 'ms' | '' | 'MB'; isBetter: 'lower' | 'higher' }

const columns: Record<keyof PeerFigures, Column> = {
  done: { title: 'send → done, p50', unit: 'ms', isBetter: 'lower' },
  parked: { title: 'send → parked, p50', unit: 'ms', isBetter: 'lower' },
  approved: { title: 'approval → done, p50', unit: 'ms', isBetter: 'lower' },
  once: { title: '200 × 1, runs/s', unit: '', isBetter: 'higher' },
  inTurn: { title: '200 × 5, runs/s', unit: '', isBetter: 'higher' },
  serverCpu: { title: 'CPU of a run, server', unit: 'ms', isBetter: 'lower' },
  postgresCpu: { title: 'CPU of a run, Postgres', unit: 'ms', isBetter: 'lower' },
  rest: { title: 'memory at rest', unit: 'MB', isBetter: 'lower' },
  after: { title: 'after the runs', unit: 'MB', isBetter: 'lower' },
  later: { title: '30 s later', unit: 'MB', isBetter: 'lower' }
}
const names = Object.keys(columns) as (keyof PeerFigures)[]

/** Formats the figures as a Markdown table, followed by the columns in which the first peer is not the best. */
export function peersReport(
  { cpu, cores, memoryGb, node, load }: Machine,
  figures: ReadonlyMap<Peer, PeerFigures>
): string {
  const rows = [...figures].map(([peer, values]) => {
    const versions = Object.entries(peer.packages).map(([name, version]) => `${name} ${version}`)
    const cells = names.map(name => round(values[name]))
    return `| ${[peer.name, versions[0] ?? 'this commit', peer.stores, ...cells].join(' | ')} |`
  })
  return [
    `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, load ${load} at the end.`,
    '',
    `| server | version | what it stores before it continues | ${names.map(title).join(' | ')} |`,
    `|---|---|---|${names.map(() => '---|').join('')}`,
    ...rows,
    '',
    ...behind(figures)
  ].join('\n')
}

const title = (name: keyof PeerFigures) => {
  const { title, unit } = columns[name]
  return unit === '' ? title : `${title}, ${unit}`
}

/** Returns a line for each column in which a peer is better than the first one. */
function behind(figures: ReadonlyMap<Peer, PeerFigures>): string[] {
  const [first, ...others] = [...figures]
  if (first === undefined) return []
  const [ours, mine] = first
  return names.flatMap(name => {
    const sign = columns[name].isBetter === 'lower' ? 1 : -1
    // A server without Postgres costs nothing there, which is no achievement.
    const rivals = others.filter(([, values]) => name !== 'postgresCpu' || values.postgresCpu > 0.5)
    const [best] = rivals.toSorted(([, a], [, b]) => sign * (a[name] - b[name]))
    if (best === undefined || sign * (best[1][name] - mine[name]) >= 0) return []
    return [
      `- ${ours.name} is behind ${best[0].name} in *${columns[name].title}*: ${round(mine[name])} and ${round(best[1][name])}.`
    ]
  })
}

const round = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toString())
