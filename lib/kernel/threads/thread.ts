import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { log } from '#lib/kernel/log.ts'

/** What `thread-process.ts` is told: a message for its thread, or to say how much CPU time that has used. */
export type ToProcess = { post: unknown } | 'measure'

/** What it says: what its thread said, the error that ended it, or how much CPU time it has used. Milliseconds. */
export type FromProcess = { message: unknown } | { error: unknown } | { cpu: number }

/**
 * A thread for what strangers wrote: schemas, patterns, wikis. It has its own child process, because V8 ends the whole
 * process if a thread runs out of memory within one operation. The process has no environment variables, reads the code of
 * this server only, writes no files and starts no programs. It ends with its thread.
 *
 * `message` is what it says, `error` why it failed (`exit` follows), `cpu` the answer to `measure`, `exit` its end, however
 * it came.
 */
export class Thread extends EventEmitter<{ message: [unknown]; error: [unknown]; cpu: [number]; exit: [] }> {
  readonly #process: ChildProcess
  /** Whether `exit` was emitted. */
  ended = false

  /** `file`: the module that it runs. `memory`: what its heap may hold. MiB. */
  constructor(file: URL, memory: number) {
    super()
    const child = fork(new URL('./thread-process.ts', import.meta.url), [file.href, String(memory)], {
      execArgv: permissions(),
      env: {} as NodeJS.ProcessEnv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc']
    })
    this.#process = child
    child.unref()
    child.on('message', (said: FromProcess) => {
      if ('message' in said) this.emit('message', said.message)
      else if ('error' in said) this.emit('error', said.error)
      else this.emit('cpu', said.cpu)
    })
    const over = () => {
      if (this.ended) return
      this.ended = true
      this.emit('exit')
    }
    child.once('exit', (_, signal) => {
      if (signal !== null && !child.killed)
        log('warn', 'The process of a thread ended unexpectedly.', {
          file: basename(file.pathname).slice(-40),
          signal
        })
      over()
    })
    child.once('error', error => {
      this.emit('error', error)
      over()
    })
  }

  /** Keeps this process running, because somebody waits for an answer. */
  wait(): void {
    this.#process.channel?.ref()
  }

  /** Lets this process end again while the thread still runs. */
  rest(): void {
    this.#process.channel?.unref()
  }

  post(message: unknown): void {
    this.#say({ post: message })
  }

  /** Asks for one event `cpu`. */
  measure(): void {
    this.#say('measure')
  }

  /** Resolves with its first word, which says that it is ready. Throws if it ends instead, or says nothing for a minute. */
  async ready(): Promise<void> {
    const ended = new AbortController()
    this.once('exit', () => ended.abort(new Error('The thread ended during its start.')))
    try {
      await once(this, 'message', { signal: AbortSignal.any([ended.signal, AbortSignal.timeout(60_000)]) })
    } catch (error) {
      await this.end()
      throw error
    }
  }

  /** Ends it, whatever it does. */
  async end(): Promise<void> {
    if (this.ended) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.once('exit', resolve)
    this.#process.ref()
    this.#process.kill('SIGKILL')
    await promise
  }

  #say(words: ToProcess): void {
    // Whoever cannot be reached has ended or is about to, and `exit` tells.
    this.#process.send(words, () => {})
  }
}

/** What Node allows the child: https://nodejs.org/api/permissions.html */
function permissions(): string[] {
  const root = resolve(import.meta.dirname, '../../..')
  const code = [join(root, 'lib'), join(root, 'package.json'), realpathSync(join(root, 'node_modules'))]
  return ['--permission', '--allow-worker', ...code.map(path => `--allow-fs-read=${path}`), '--no-warnings']
}
