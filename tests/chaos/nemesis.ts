import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, retryUntilSuccess } from './cluster.ts'
import type { History } from './history.ts'
import type { Fault, Planned } from './plan.ts'

/**
 * Causes the planned faults at their times. Faults can overlap. Resolves when all faults are over and every process
 * is up again. Writes each fault to the history.
 */
export async function injectFaults(
  cluster: Cluster,
  history: History,
  planned: readonly Planned[]
): Promise<void> {
  const startedAt = Date.now()
  const running: Promise<unknown>[] = []
  for (const fault of planned) {
    await pause(Math.max(0, startedAt + fault.at - Date.now()))
    running.push(injectFault(cluster, history, fault))
  }
  await Promise.all(running)
  cluster.proxy.heal()
}

/** Causes a fault and records it, from its start until all its effects are over. */
async function injectFault(cluster: Cluster, history: History, fault: Planned): Promise<void> {
  const startedAt = Date.now()
  const target = await faultActions[fault.fault](cluster, fault)
  history.add({
    kind: 'fault',
    fault: fault.fault,
    target: Number(target ?? 0),
    startedAt,
    ended: Date.now()
  })
}

/** Resolves with the index of the process if the fault affects one of several. */
type FaultAction = (cluster: Cluster, planned: Planned) => Promise<unknown>

const stop = async (processes: Cluster['webs'], { target, ms }: Planned) => {
  const n = target % processes.length
  processes[n]?.stop()
  await pause(ms)
  processes[n]?.resume()
  return n
}

/** Kills a process that is up. If all are still starting, waits for the first one to serve. */
const kill = async (processes: Cluster['webs'], { target }: Planned) => {
  for (;;) {
    const indexes = processes.flatMap((process, n) => (process.isUp() ? [n] : []))
    const n = indexes[target % indexes.length]
    if (n === undefined) {
      await pause(20)
      continue
    }
    await processes[n]?.kill()
    return n
  }
}

const faultActions: Record<Fault, FaultAction> = {
  'kill-worker': ({ workers }, planned) => kill(workers, planned),
  'kill-web': ({ webs }, planned) => kill(webs, planned),
  'kill-postgres': cluster => cluster.killPostgres(),
  'stop-worker': ({ workers }, planned) => stop(workers, planned),
  'stop-web': ({ webs }, planned) => stop(webs, planned),
  async 'stop-postgres'(cluster, { ms }) {
    const resume = await retryUntilSuccess(() => cluster.stopPostgres())
    await pause(ms)
    resume()
  },
  async stall({ proxy }, { ms }) {
    proxy.stall()
    await pause(ms)
    proxy.go()
  },
  async 'lose-commit'({ proxy }, { count }) {
    proxy.lose('commit', count)
  },
  async 'lose-answer'({ proxy }, { count }) {
    proxy.lose('answer', count)
  },
  'double-jobs': ({ sql }) =>
    retryUntilSuccess(async () => {
      await sql`
        select graphile_worker.add_job(t.identifier, j.payload, flags := case when t.identifier = 'wake' then array['wake'] end)
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier in ('wake', 'deliver') limit 50`
    }),
  'delay-jobs': ({ sql }) =>
    retryUntilSuccess(async () => {
      await sql`
        update graphile_worker._private_jobs set run_at = clock_timestamp() + random() * interval '2 seconds'
        where locked_at is null`
    }),
  'lose-jobs': ({ sql }) =>
    retryUntilSuccess(async () => {
      await sql`delete from graphile_worker._private_jobs where locked_at is null`
    })
}
