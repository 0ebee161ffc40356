import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Violation } from './check.ts'
import { type Cluster, type Processes, startCluster } from './cluster.ts'
import { startExternalServices } from './external-services.ts'
import { addFigures, emptyFigures, type Figures, figuresOf } from './figures.ts'
import { openHistory } from './history.ts'
import { startModel } from './model.ts'
import type { Recovery } from './one-at-a-time.ts'
import { pointsIn } from './points.ts'
import { type Load, runRound } from './round.ts'
import { seeded } from './seeded.ts'

export type RunResult = {
  violations: Violation[]
  figures: Figures
  history: string
  settledMs: number
  recoveries: Recovery[]
}

/**
 * Plays rounds on one stage and stops after the first round with a violation. The default stage has two web servers
 * and two workers. `points` arms the failpoints, with about this many milliseconds between two actions in each
 * process. The run ends early after a round whose sum of figures is `enough`.
 * The directory receives the logs of the processes. For each round it also receives `history-<seed>.jsonl` and
 * `state-<seed>.json`, the complete input of the checks.
 */
export async function runRounds(
  rounds: readonly Load[],
  directory: string,
  report: (played: RunResult) => void = () => undefined,
  {
    processes = { webs: 2, workers: 2 },
    pace = 20,
    points,
    enough = () => false
  }: { processes?: Processes; pace?: number; points?: number; enough?: (figures: Figures) => boolean } = {}
): Promise<RunResult> {
  await mkdir(directory, { recursive: true })
  const seed = rounds[0]?.seed ?? 0
  const random = seeded(seed, 'outside')
  const armed = points === undefined ? undefined : pointsIn(directory, seed, points)
  // The cluster starts with disarmed failpoints. Each round arms them.
  await armed?.disarm()
  await using externalSystem = await startExternalServices(random)
  await using model = await startModel(externalSystem.url, random, { pace })
  await using cluster = await startCluster({
    processes,
    directory,
    settings: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
      WAYSTATION_EGRESS_ALLOW: externalSystem.host,
      ...armed?.settings
    },
    isExcused: pid => armed?.killed(pid) ?? false
  })
  await makeAgents(cluster, externalSystem.url)
  const total: RunResult = {
    violations: [],
    figures: emptyFigures(),
    history: '',
    settledMs: 0,
    recoveries: []
  }
  for (const load of rounds) {
    const history = openHistory(join(directory, `history-${load.seed}.jsonl`), load)
    await armed?.arm()
    const { violations, state, settledMs, recoveries } = await runRound(
      cluster,
      { model, externalSystem, disarm: armed?.disarm },
      history,
      load
    ).finally(history.close)
    await armed?.disarm()
    await writeFile(join(directory, `state-${load.seed}.json`), JSON.stringify(state))
    addFigures(total.figures, figuresOf(history.lines, state, violations))
    if (armed !== undefined) total.figures.points = armed.count()
    Object.assign(total, { violations, history: history.path, settledMs })
    total.recoveries.push(...recoveries)
    report(total)
    if (violations.length > 0 || enough(total.figures)) break
  }
  return total
}

async function makeAgents(cluster: Cluster, externalSystem: string): Promise<void> {
  const chat = { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] }
  const external = { inputUrl: `${externalSystem}/agent`, retries: 10 }
  for (const body of [
    { agentId: 'test', displayName: 'Test', type: 'chat', chat },
    { agentId: 'outside', displayName: 'Outside', type: 'external', external }
  ]) {
    const { status, body: answer } = await cluster.request('POST', '/api/agents', { body, timeoutMs: 30_000 })
    if (status !== 201) throw new Error(`The agent was not made: ${status} ${JSON.stringify(answer)}`)
  }
}
