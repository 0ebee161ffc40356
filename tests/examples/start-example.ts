import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** A running example: the lines that it printed so far, and a way to type a line into it. */
export type Example = {
  /** The URL on which it listens, or the path that it watches, from its own output. */
  url: string
  lines: readonly string[]
  type(line: string): void
  /** Ends it, by default with SIGTERM, and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts an example and resolves when it listens (on a free port) or watches. It ends with the test. */
export async function startExample(
  command: string,
  args: readonly string[],
  settings: Record<string, string> = {}
): Promise<Example> {
  const child = spawn(command, args, {
    env: { ...process.env, PORT: '0', ...settings },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  const stop = async (signal?: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  onTestFinished(() => stop())
  const lines: string[] = []
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', line => {
      lines.push(line)
      const [, address] = /^(?:Listening on|Watching) (\S+)$/.exec(line) ?? []
      if (address !== undefined) done(address)
    })
    void exited.then(() => fail(new Error(`${command} ${args.join(' ')} ended before it listened.`)))
  })
  return { url, lines, type: line => void child.stdin.write(`${line}\n`), stop }
}
