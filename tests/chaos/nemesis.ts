import { setTimeout as pause } from 'node:timers/promises'
import { again, type Stage } from './cluster.ts'
import type { History } from './history.ts'
import type { Fault, Planned } from './plan.ts'

/**
 * Causes the planned faults at their times. Faults can overlap. Resolves when all faults are over and every process
 * is up again. Writes each fault to the history.
 */
export async function torment(stage: Stage, history: History, planned: readonly Planned[]): Promise<void> {
  const began = Date.now()
  const running: Promise<unknown>[] = []
  for (const fault of planned) {
    await pause(Math.max(0, began + fault.at - Date.now()))
    running.push(carryOut(stage, history, fault))
  }
  await Promise.all(running)
  stage.proxy.heal()
}

/** Causes a fault and records it, from its start until all its effects are over. */
async function carryOut(stage: Stage, history: History, fault: Planned): Promise<void> {
  const began = Date.now()
  const target = await causes[fault.fault](stage, fault)
  history.add({ kind: 'fault', fault: fault.fault, target: Number(target ?? 0), began, ended: Date.now() })
}

/** Resolves with the index of the process if the fault affects one of several. */
type Cause = (stage: Stage, planned: Planned) => Promise<unknown>

const stop = async (processes: Stage['webs'], { target, ms }: Planned) => {
  const n = target % processes.length
  processes[n]?.stop()
  await pause(ms)
  processes[n]?.goOn()
  return n
}

/** Kills a process that is up. If all are still starting, waits for the first one to serve. */
const kill = async (processes: Stage['webs'], { target }: Planned) => {
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

const causes: Record<Fault, Cause> = {
  'kill-worker': ({ workers }, planned) => kill(workers, planned),
  'kill-web': ({ webs }, planned) => kill(webs, planned),
  'kill-postgres': stage => stage.killPostgres(),
  'stop-worker': ({ workers }, planned) => stop(workers, planned),
  'stop-web': ({ webs }, planned) => stop(webs, planned),
  async 'stop-postgres'(stage, { ms }) {
    const goOn = await again(() => stage.stopPostgres())
    await pause(ms)
    goOn()
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
    again(async () => {
      await sql`
        select graphile_worker.add_job(t.identifier, j.payload, flags := case when t.identifier = 'wake' then array['wake'] end)
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier in ('wake', 'deliver') limit 50`
    }),
  'delay-jobs': ({ sql }) =>
    again(async () => {
      await sql`
        update graphile_worker._private_jobs set run_at = clock_timestamp() + random() * interval '2 seconds'
        where locked_at is null`
    }),
  'lose-jobs': ({ sql }) =>
    again(async () => {
      await sql`delete from graphile_worker._private_jobs where locked_at is null`
    })
}
