import { figureOf, keyOf, type Run } from './last-run.ts'
import type { Spread } from './percentiles.ts'
import type { Measured, Row } from './report.ts'

/**
 * Formats a run as a Markdown table, with p50 / p95 / p99 for several measurements. Marks the rows of the measurements
 * that were `disturbed`, and compares each row with the last run.
 */
export function tableOf(run: Run, last: Run | undefined, disturbed: ReadonlySet<keyof Measured>): string {
  const { cpu, cores, memoryGb, platform, node, load } = run.machine
  const before = new Map(last?.rows.map(row => [keyOf(row), row]))
  const isDisturbed = ({ from }: Row) => from !== undefined && disturbed.has(from)
  const lines = run.rows.map(row => {
    const { what, unit, ours, bare, ratio, of = 'p50', floor } = row
    const cells = [
      isDisturbed(row) ? `⚠ ${what}` : what,
      figures(ours, unit),
      bare === undefined ? '' : figures(bare, unit),
      ratio === undefined ? '' : `${ratio.toFixed(2)} ×${typeof ours === 'number' ? '' : ` (${of})`}`,
      floor === undefined ? '' : `${floor.text}: ${floor.met ? 'met' : '**missed**'}`,
      ...(last === undefined ? [] : [change(row, before.get(keyOf(row)))])
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    `Commit ${run.commit}. ${cores} cores (${cpu}), ${memoryGb} GB, ${platform}, Node ${node}, load ${load} at the start, fixed work in ${run.speedMs.toFixed(0)} ms.`,
    ...(last === undefined
      ? []
      : [
          `Last run: commit ${last.commit}, ${last.at}, load ${last.machine.load}, fixed work in ${last.speedMs.toFixed(0)} ms.`
        ]),
    ...(run.rows.some(isDisturbed)
      ? ['⚠: another program used the machine, or it ran slower than before. Do not use this figure.']
      : []),
    '',
    `| measurement (p50 / p95 / p99) | Waystation | baseline | ratio | target |${last === undefined ? '' : ' divided by the last run |'}`,
    `|---|---|---|---|---|${last === undefined ? '' : '---|'}`,
    ...lines
  ].join('\n')
}

/** Returns a row's figure divided by that of the last run; an empty text if there is none. */
function change(row: Row, before: Row | undefined): string {
  if (before === undefined || figureOf(before) === 0) return ''
  return `${(figureOf(row) / figureOf(before)).toFixed(2)} ×`
}

function figures(value: Spread | number, unit: Row['unit']): string {
  const numbers = typeof value === 'number' ? [value] : [value.p50, value.p95, value.p99]
  const count = typeof value === 'number' ? '' : ` (n ${value.n})`
  return `${numbers.map(round).join(' / ')} ${unit}${count}`.trim()
}

const round = (value: number) =>
  value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value).toString()
