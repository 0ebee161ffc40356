import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs `npm run plugin:check` and returns its output and exit code. */
export async function checkPlugin(...args: string[]): Promise<{ output: string; code: number }> {
  const child = spawn(process.execPath, ['scripts/plugin-check.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}
