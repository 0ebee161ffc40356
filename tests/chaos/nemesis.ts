import { setTimeout as pause } from 'node:timers/promises'
import type { History } from './history.ts'
import type { Fault, Planned } from './plan.ts'
import { again, type Stage } from './stage.ts'

/**
 * Does what is planned, when it is planned; each thing by itself, so that one that lasts does not hold up the next. All of
 * it is over, and everything is up again, when this resolves. Writes each to the history.
 */
export async function torment(stage: Stage, history: History, planned: readonly Planned[]): Promise<void> {
  const began = Date.now()
  const under: Promise<unknown>[] = []
  for (const one of planned) {
    await pause(Math.max(0, began + one.at - Date.now()))
    under.push(carryOut(stage, history, one))
  }
  await Promise.all(under)
  stage.proxy.heal()
}

/** A fault takes the system's time from when it is done until nothing of it is left. */
async function carryOut(stage: Stage, history: History, one: Planned): Promise<void> {
  const began = Date.now()
  const target = await deeds[one.fault](stage, one)
  history.add({ kind: 'fault', fault: one.fault, target: Number(target ?? 0), began, ended: Date.now() })
}

/** Resolves, when it is to one process of several, with which one it was. */
type Deed = (stage: Stage, planned: Planned) => Promise<unknown>

const stop = async (processes: Stage['webs'], { target, ms }: Planned) => {
  const n = target % processes.length
  processes[n]?.stop()
  await pause(ms)
  processes[n]?.goOn()
  return n
}

/** Where all are being started, on a slow machine for seconds, the first that serves again is killed. */
const kill = async (processes: Stage['webs'], { target }: Planned) => {
  for (;;) {
    const living = processes.flatMap((one, n) => (one.isUp() ? [n] : []))
    const n = living[target % living.length]
    if (n === undefined) {
      await pause(20)
      continue
    }
    await processes[n]?.kill()
    return n
  }
}

const deeds: Record<Fault, Deed> = {
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
