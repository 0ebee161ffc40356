import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Io } from './io.ts'
import { run } from './run.ts'

const { stdout, stderr, stdin, env } = process

// The reader of a pipe, such as `head`, can end before this program.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const io: Io = {
  env,
  out: async text => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  },
  err: text => void stderr.write(text),
  stdin: () => text(stdin),
  untilInterrupted() {
    const controller = new AbortController()
    // A second Ctrl-C ends the process at once.
    process.once('SIGINT', () => controller.abort())
    return controller.signal
  }
}

process.exitCode = await run(process.argv.slice(2), io)
