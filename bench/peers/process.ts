import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

type Options = { folder: string; env?: Record<string, string> }

/** Runs a Node script of a peer to its end. Throws with its output if it fails. */
export async function runScript(args: string[], options: Options): Promise<void> {
  const { child, output } = start(args, options)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} failed (${code}): ${output()}`)
}

/** A running server of a peer. */
export type Server = AsyncDisposable & { pid: number }

/**
 * Starts a Node script of a peer, and waits until `url` responds. Throws with its output if it ends or takes longer
 * than a minute.
 */
export async function startScript(args: string[], url: string, options: Options): Promise<Server> {
  const { child, output } = start(args, options)
  const exited = once(child, 'exit')
  for (const deadline = Date.now() + 60_000; !(await responds(url)); await pause(100))
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${args.join(' ')} did not start: ${output()}`)
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if ((await Promise.race([exited, pause(5000)])) === undefined) child.kill('SIGKILL')
      await exited
    }
  }
}

function start(args: string[], { folder, env = {} }: Options) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
    })
  return { child, output: () => output }
}

const responds = (url: string) =>
  fetch(url).then(
    async response => {
      await response.body?.cancel()
      return response.status < 500
    },
    () => false
  )
