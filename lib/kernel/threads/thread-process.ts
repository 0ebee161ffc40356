import { Worker } from 'node:worker_threads'
import type { FromProcess, ToProcess } from './thread.ts'

/**
 * The child process of `thread.ts`, begun with the module of its thread and the MiB that its heap may hold. It carries what is
 * said to the thread and by it, and can tell of its CPU time while it computes.
 */
const [file = '', memory = ''] = process.argv.slice(2)

const say = (words: FromProcess) => void process.send?.(words)

const worker = new Worker(new URL(file), {
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: Number(memory) }
})
worker.on('message', message => say({ message }))
worker.on('error', error => say({ error }))
// What was said before is still sent; then nothing keeps this process.
worker.on('exit', () => process.disconnect?.())

async function measure(): Promise<void> {
  const { user, system } = await worker.cpuUsage()
  say({ cpu: (user + system) / 1000 })
}

process.on('message', (said: ToProcess) => {
  if (said === 'measure')
    // A thread that has ended tells no times.
    void measure().catch(() => {})
  else worker.postMessage(said.post)
})

// Whoever began it is gone.
process.on('disconnect', () => process.exit())

// Ctrl-C and service managers tell the whole group to stop. The server ends this process once nothing needs it any more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
