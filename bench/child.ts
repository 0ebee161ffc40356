import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A child process of the benchmark that listens on `url`. */
export type Child = AsyncDisposable & { pid: number; url: string }

/** Starts a script of this folder and waits until it sends its port. */
export async function startChild(script: string, args: string[]): Promise<Child> {
  const child = fork(new URL(script, import.meta.url), args)
  const [port] = (await once(child, 'message')) as [number]
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    }
  }
}
