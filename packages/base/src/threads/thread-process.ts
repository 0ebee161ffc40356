import { Worker } from 'node:worker_threads'
import type { FromProcess, ToProcess } from './thread.ts'

/**
 * The child process of `thread.ts`. Its arguments are the thread's module and the thread's maximum heap in MiB. It
 * forwards messages to and from the thread, and can measure the thread's CPU time while the thread is busy.
 */
const [file = '', memory = ''] = process.argv.slice(2)

const send = (message: FromProcess) => void process.send?.(message)

const worker = new Worker(new URL(file), {
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: Number(memory) }
})
worker.on('message', message => send({ message }))
worker.on('error', error => send({ error }))
// Earlier messages are still sent. After that nothing keeps this process running.
worker.on('exit', () => process.disconnect?.())

async function measure(): Promise<void> {
  const { user, system } = await worker.cpuUsage()
  send({ cpu: (user + system) / 1000 })
}

process.on('message', (request: ToProcess) => {
  if (request === 'measure')
    // A thread that has ended has no CPU times.
    void measure().catch(() => {})
  else worker.postMessage(request.post)
})

// The parent process has ended.
process.on('disconnect', () => process.exit())

// Ctrl-C and service managers signal the whole process group. Ignore these signals: the server ends this process when
// it is no longer needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
