import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Violation } from './check.ts'
import { addFigures, type Figures, figuresOf, noFigures, serversKilled } from './figures.ts'
import { openHistory } from './history.ts'
import { startModel } from './model.ts'
import type { Recovery } from './one-at-a-time.ts'
import { startOutside } from './outside.ts'
import { pointsIn } from './points.ts'
import { type Load, playRound } from './round.ts'
import { seeded } from './seeded.ts'
import { openStage, type Processes, type Stage } from './stage.ts'

/** What a run is to come to: whoever has it ends with its round. */
type Enough = { messages: number; servers: number; postgres: number }

export type Played = {
  violations: Violation[]
  figures: Figures
  history: string
  settledMs: number
  recoveries: Recovery[]
}

/**
 * Plays rounds on one stage, of two web servers and two workers unless told otherwise, and stops at the first that is not as promised. `points`: with failpoints, and about so many milliseconds in each process from
 * one thing that is done there to the next. Histories
 * and the processes' logs are kept in `directory`: for each round `history-<seed>.jsonl`, and `state-<seed>.json`, which
 * together are everything that was judged.
 */
export async function play(
  rounds: readonly Load[],
  directory: string,
  tell: (played: Played) => void = () => undefined,
  {
    processes = { webs: 2, workers: 2 },
    pace = 20,
    points,
    enough
  }: { processes?: Processes; pace?: number; points?: number; enough?: Enough | undefined } = {}
): Promise<Played> {
  await mkdir(directory, { recursive: true })
  const seed = rounds[0]?.seed ?? 0
  const random = seeded(seed, 'outside')
  const armed = points === undefined ? undefined : pointsIn(directory, seed, points)
  // Its stage is set up in peace; each round begins armed.
  await armed?.calm()
  await using outside = await startOutside(random)
  await using model = await startModel(outside.url, random, { pace })
  await using stage = await openStage({
    processes,
    directory,
    settings: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
      WAYSTATION_EGRESS_ALLOW: outside.host,
      ...armed?.settings
    },
    isExcused: pid => armed?.killed(pid) ?? false
  })
  await makeAgents(stage, outside.url)
  const sum: Played = { violations: [], figures: noFigures(), history: '', settledMs: 0, recoveries: [] }
  for (const load of rounds) {
    const history = openHistory(join(directory, `history-${load.seed}.jsonl`), load)
    await armed?.arm()
    const { violations, state, settledMs, recoveries } = await playRound(
      stage,
      { model, outside, calm: armed?.calm },
      history,
      load
    ).finally(history.close)
    await armed?.calm()
    await writeFile(join(directory, `state-${load.seed}.json`), JSON.stringify(state))
    addFigures(sum.figures, figuresOf(history.lines, state, violations))
    if (armed !== undefined) sum.figures.points = armed.count()
    Object.assign(sum, { violations, history: history.path, settledMs })
    sum.recoveries.push(...recoveries)
    tell(sum)
    if (violations.length > 0 || (enough !== undefined && isEnough(sum.figures, enough))) break
  }
  return sum
}

const isEnough = (figures: Figures, enough: Enough): boolean =>
  figures.messages.acknowledged >= enough.messages &&
  serversKilled(figures) >= enough.servers &&
  figures.faults['kill-postgres'] >= enough.postgres

async function makeAgents(stage: Stage, outside: string): Promise<void> {
  const chat = { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] }
  const external = { inputUrl: `${outside}/agent`, retries: 10 }
  for (const body of [
    { agentId: 'test', displayName: 'Test', type: 'chat', chat },
    { agentId: 'outside', displayName: 'Outside', type: 'external', external }
  ]) {
    const { status, body: answer } = await stage.ask('POST', '/api/agents', { body, patience: 30_000 })
    if (status !== 201) throw new Error(`The agent was not made: ${status} ${JSON.stringify(answer)}`)
  }
}
