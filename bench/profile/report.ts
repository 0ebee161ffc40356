import type { Cost } from './costs.ts'
import type { Profile, Statement } from './profile.ts'

/** How many costs each table lists. */
const listed = 10

/** Formats a profile as Markdown tables of the ten largest costs. */
export function profileReport({ throughput, turns, node, postgres }: Profile): string {
  const perTurn = (ms: number | undefined) => (ms === undefined ? 'unknown' : `${ms.toFixed(1)} ms`)
  return [
    `${turns} turns, ${Math.round(throughput.perSecond)} a second, with ${perTurn(throughput.node)} of CPU in Node and ${perTurn(throughput.postgres)} in Postgres for each.`,
    costTable('Node, by package and folder', node.areas, turns),
    costTable('Node, by function (without what it calls)', node.functions, turns),
    statementTable(postgres)
  ].join('\n\n')
}

function costTable(title: string, costs: readonly Cost[], turns: number): string {
  const total = costs.reduce((sum, { ms }) => sum + ms, 0)
  const rows = costs
    .slice(0, listed)
    .map(({ what, ms }) => `| ${what} | ${percent(ms / total)} | ${(ms / turns).toFixed(2)} ms |`)
  return [`| ${title} | share | per turn |`, '|---|---|---|', ...rows].join('\n')
}

function statementTable(statements: readonly Statement[]): string {
  const total = statements.reduce((sum, { msPerTurn }) => sum + msPerTurn, 0)
  const calls = statements.reduce((sum, { callsPerTurn }) => sum + callsPerTurn, 0)
  const rows = statements
    .slice(0, listed)
    .map(
      ({ text, callsPerTurn, msPerTurn }) =>
        `| \`${text.slice(0, 90).replaceAll('|', '\\|')}\` | ${percent(msPerTurn / total)} | ${msPerTurn.toFixed(2)} ms | ${callsPerTurn.toFixed(1)} |`
    )
  return [
    `| Postgres, by statement (${calls.toFixed(0)} calls a turn) | share of the time | per turn | calls |`,
    '|---|---|---|---|',
    ...rows
  ].join('\n')
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
