import type { Machine } from './machine.ts'
import type { Spread } from './percentiles.ts'
import type { Row } from './report.ts'

/** Formats the rows as a Markdown table, with p50 / p95 / p99 for several measurements. */
export function tableOf(machine: Machine, rows: readonly Row[]): string {
  const { cpu, cores, memoryGb, platform, node, load } = machine
  const lines = rows.map(
    ({ what, unit, ours, bare, ratio, of = 'p50', floor }) =>
      `| ${[
        what,
        figures(ours, unit),
        bare === undefined ? '' : figures(bare, unit),
        ratio === undefined ? '' : `${ratio.toFixed(2)} ×${typeof ours === 'number' ? '' : ` (${of})`}`,
        floor === undefined ? '' : `${floor.text}: ${floor.met ? 'met' : '**missed**'}`
      ].join(' | ')} |`
  )
  return [
    `${cores} cores (${cpu}), ${memoryGb} GB, ${platform}, Node ${node}, load ${load} at the start.`,
    '',
    '| measurement (p50 / p95 / p99) | Waystation | baseline | ratio | target |',
    '|---|---|---|---|---|',
    ...lines
  ].join('\n')
}

function figures(value: Spread | number, unit: Row['unit']): string {
  const numbers = typeof value === 'number' ? [value] : [value.p50, value.p95, value.p99]
  const count = typeof value === 'number' ? '' : ` (n ${value.n})`
  return `${numbers.map(round).join(' / ')} ${unit}${count}`.trim()
}

const round = (value: number) =>
  value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value).toString()
