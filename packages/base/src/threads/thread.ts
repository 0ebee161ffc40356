import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { log } from '@waystation/base/log.ts'

/** A message to `thread-process.ts`: forward a message to the thread, or measure its CPU time. */
export type ToProcess = { post: unknown } | 'measure'

/**
 * A message from `thread-process.ts`: a message of the thread, the error that ended it, or its CPU time in
 * milliseconds.
 */
export type FromProcess = { message: unknown } | { error: unknown } | { cpu: number }

/**
 * A thread for untrusted input: schemas, patterns and wikis. It has its own child process, because V8 ends the whole
 * process if a thread runs out of memory within one operation. The process has no environment variables, reads only
 * this server's code, writes no files and starts no programs. It ends with its thread.
 * Events: `message` from the thread, `error` if it failed (followed by `exit`), `cpu` as the response to `measure`, and
 * `exit` when it ends for any reason.
 */
export class Thread extends EventEmitter<{ message: [unknown]; error: [unknown]; cpu: [number]; exit: [] }> {
  readonly #process: ChildProcess
  /** True after `exit` was emitted. */
  ended = false

  /** `file` is the module to run, and `memory` the maximum heap in MiB. */
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
    child.on('message', (message: FromProcess) => {
      if ('message' in message) this.emit('message', message.message)
      else if ('error' in message) this.emit('error', message.error)
      else this.emit('cpu', message.cpu)
    })
    const emitExit = () => {
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
      emitExit()
    })
    child.once('error', error => {
      this.emit('error', error)
      emitExit()
    })
  }

  /** Keeps this process running while a caller waits for an answer. */
  wait(): void {
    this.#process.channel?.ref()
  }

  /** Allows this process to exit while the thread still runs. */
  rest(): void {
    this.#process.channel?.unref()
  }

  /** Sends a message to the thread. */
  post(message: unknown): void {
    this.#send({ post: message })
  }

  /** Requests one `cpu` event. */
  measure(): void {
    this.#send('measure')
  }

  /**
   * Resolves with the thread's first message, which means that it is ready. Throws if the thread ends first, or sends
   * nothing for a minute.
   */
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

  /** Kills the thread, and resolves when it has ended. */
  async end(): Promise<void> {
    if (this.ended) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.once('exit', resolve)
    this.#process.ref()
    this.#process.kill('SIGKILL')
    await promise
  }

  #send(message: ToProcess): void {
    // If the child cannot be reached, it has ended or is about to. `exit` reports that.
    this.#process.send(message, () => {})
  }
}

/** Returns Node's permission flags for the child: https://nodejs.org/api/permissions.html */
function permissions(): string[] {
  const root = resolve(import.meta.dirname, '../../../..')
  const code = [
    ...['lib', 'packages', 'package.json'].map(name => join(root, name)),
    realpathSync(join(root, 'node_modules'))
  ]
  return ['--permission', '--allow-worker', ...code.map(path => `--allow-fs-read=${path}`), '--no-warnings']
}
