import { type ClockServer, startClockServer } from '#bench/clock-server.ts'
import { busyShare } from '#bench/machine.ts'
import { runner } from '#bench/throughput.ts'
import { connect } from '#db/client.ts'

/**
 * Turns a second of a number of server processes on one Postgres. `busy` is the share of the machine's CPU time that all
 * programs used meanwhile; undefined without /proc.
 */
export type ProcessFigures = { processes: number; perSecond: number; busy?: number }

/**
 * Measures one, two and four processes, each with 200 sessions that get five messages one after the other. The messages
 * go to the processes in turn, like behind a load balancer.
 */
export async function measureProcesses(databaseUrl: string, postmaster: number): Promise<ProcessFigures[]> {
  const sql = connect(databaseUrl, { max: 1 })
  const figures: ProcessFigures[] = []
  try {
    for (const processes of [1, 2, 4]) {
      await using servers = await startServers(databaseUrl, processes)
      const run = runner(servers.balanced, sql, postmaster, `processes-${processes}`)
      await run(5)
      const before = busyShare()
      const { perSecond } = await run(5)
      const busy = before?.()
      figures.push({ processes, perSecond, ...(busy === undefined ? {} : { busy }) })
    }
  } finally {
    await sql.end()
  }
  return figures
}

async function startServers(
  databaseUrl: string,
  processes: number
): Promise<AsyncDisposable & { balanced: ClockServer }> {
  await using stack = new AsyncDisposableStack()
  const servers: ClockServer[] = []
  for (let n = 0; n < processes; n++)
    servers.push(stack.use(await startClockServer(databaseUrl, { perSecond: 1000, seconds: 0.002 })))
  const started = stack.move()
  let next = 0
  return {
    balanced: {
      ...(servers[0] as ClockServer),
      send: sessionId => (servers[next++ % processes] as ClockServer).send(sessionId)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync()
  }
}
