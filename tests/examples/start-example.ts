import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** An example that runs: what it printed so far, a line each, and a way to type one into it. */
export type Example = {
  /** Where it listens, or what it watches, as it said itself. */
  url: string
  lines: readonly string[]
  type(line: string): void
  /** Ends it and resolves when it is gone. */
  stop(): Promise<void>
}

/** Starts an example that listens, on a free port, or watches, and resolves once it does. It ends with the test. */
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
  const stop = async () => {
    child.kill()
    await exited
  }
  onTestFinished(stop)
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
