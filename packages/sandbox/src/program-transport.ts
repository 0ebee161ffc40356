import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { endProgram, killGroup } from '@waystation/base/end-program.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { type CommandLine, start } from './sandbox.ts'

/** Limits in bytes: one message, and all output between two messages of ours. */
const maxLineBytes = 2 * 1024 * 1024
const maxUnrequestedBytes = 16 * 1024 * 1024
/** Time limit to exit after the input is closed, and after SIGTERM, in milliseconds. */
const graceMs = 2000
const maxStderrChars = 2000

/**
 * MCP over a program's standard input and output, one message per line (2025-11-25, stdio). Other lines are
 * ignored, and a program that sends too much is killed. The program has its own process group, and `close` ends
 * the whole group: it closes the input, then sends SIGTERM, then SIGKILL. The library's own transport has no
 * process group and no limit on line length.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The reason why the program ended, once it has. */
  ended: string | undefined
  /** The end of its standard error, for the log. */
  complaints = ''
  readonly #commandLine: CommandLine
  #child: ChildProcess | undefined
  #pending: Buffer[] = []
  #pendingBytes = 0
  #unrequestedBytes = 0

  constructor(commandLine: CommandLine) {
    this.#commandLine = commandLine
  }

  async start(): Promise<void> {
    const child = start(this.#commandLine, { detached: true })
    this.#child = child
    child.once('exit', (code, signal) => {
      this.ended ??= code === null ? `it was ended by ${signal}` : `it exited with code ${code}`
      // Processes that it started must not outlive it.
      killGroup(this.#child?.pid)
    })
    child.once('close', () => this.onclose?.())
    child.stdin?.on('error', () => undefined)
    child.stdout?.on('data', (chunk: Buffer) => this.#onData(chunk))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaints = (this.complaints + text).slice(-maxStderrChars)
    })
    await once(child, 'spawn')
    child.on('error', error => this.onerror?.(error))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable) throw new ToolError('The program is not running.')
    this.#unrequestedBytes = 0
    stdin.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    this.ended ??= 'it was stopped'
    await endProgram(child, { input: graceMs, term: graceMs })
  }

  #onData(chunk: Buffer): void {
    this.#unrequestedBytes += chunk.length
    if (this.#unrequestedBytes > maxUnrequestedBytes) {
      this.#killForFlooding('it sent more data than was requested')
      return
    }
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#pending.push(chunk.subarray(from, end))
      const line = Buffer.concat(this.#pending).toString('utf8')
      this.#pending = []
      this.#pendingBytes = 0
      from = end + 1
      this.#onLine(line)
    }
    this.#pending.push(chunk.subarray(from))
    this.#pendingBytes += chunk.length - from
    if (this.#pendingBytes > maxLineBytes) this.#killForFlooding('it sent a line that is too long')
  }

  #onLine(line: string): void {
    if (!line.startsWith('{')) return
    try {
      const message = JSONRPCMessageSchema.safeParse(JSON.parse(line))
      if (message.success) this.onmessage?.(message.data)
    } catch {
      // Not JSON: a program that writes its log to standard output.
    }
  }

  #killForFlooding(why: string): void {
    this.ended ??= why
    this.#pending = []
    this.#pendingBytes = 0
    this.#child?.stdout?.removeAllListeners('data')
    this.#child?.stdout?.resume()
    killGroup(this.#child?.pid)
  }
}
