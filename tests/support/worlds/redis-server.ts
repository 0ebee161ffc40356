import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createClient } from '@redis/client'
import { onTestFinished } from 'vitest'
import { needs } from '#tests/support/needs.ts'
import { freePort } from '#tests/support/worlds/free-port.ts'

const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

/** Tests that need a `redis-server` on this machine. */
export const withRedis = needs('redis-server', hasRedis)

/** A Redis of a test's own, on one port for as long as the test lasts, to be treated badly. */
export type TestRedis = {
  /** For `REDIS_URL`. */
  url: string
  /** Resolves when it takes commands. */
  start(): Promise<void>
  /** SIGKILL, and its end. */
  kill(): Promise<void>
  /** SIGSTOP, and SIGCONT. */
  stop(): void
  goOn(): void
  /** One command, over a connection of its own. */
  ask(...command: string[]): Promise<unknown>
  /** Ends every connection that listens; says how many. */
  cut(): Promise<number>
  /** How many connections listen. */
  listeners(): Promise<number>
}

/** A Redis that ends with its test at the latest. `up: false`: it is not started yet. */
export async function testRedis({ up = true } = {}): Promise<TestRedis> {
  const redis = await makeRedis()
  onTestFinished(redis.kill)
  if (up) await redis.start()
  return redis
}

/** A Redis that runs until it is killed: for a whole file. */
export async function startRedis(): Promise<TestRedis> {
  const redis = await makeRedis()
  await redis.start()
  return redis
}

async function makeRedis(): Promise<TestRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess | undefined
  const kill = async () => {
    const victim = server
    if (victim === undefined || victim.exitCode !== null || victim.signalCode !== null) return
    const ended = once(victim, 'exit')
    victim.kill('SIGKILL')
    await ended
  }
  const ask = async (...command: string[]) => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {
      // The command that fails says so.
    })
    await client.connect()
    try {
      return await client.sendCommand(command)
    } finally {
      client.destroy()
    }
  }
  return {
    url,
    async start() {
      const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' }
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
      server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      for await (const line of createInterface(server.stdout as NodeJS.ReadableStream))
        if (line.includes('Ready to accept connections')) break
      server.stdout?.resume()
    },
    kill,
    stop: () => server?.kill('SIGSTOP'),
    goOn: () => server?.kill('SIGCONT'),
    ask,
    cut: async () => Number(await ask('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    async listeners() {
      return String(await ask('CLIENT', 'LIST', 'TYPE', 'pubsub')).match(/^id=/gm)?.length ?? 0
    }
  }
}
