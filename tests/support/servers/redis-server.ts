import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createClient } from '@redis/client'
import { onTestFinished } from 'vitest'
import { needs } from '#tests/support/needs.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

const hasRedis = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

/** Tests that need a `redis-server` on this machine. */
export const withRedis = needs('redis-server', hasRedis)

/** A Redis for one test, on the same port for the whole test, which the test can kill, pause or cut off. */
export type TestRedis = {
  /** For `REDIS_URL`. */
  url: string
  /** Resolves when it accepts commands. */
  start(): Promise<void>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
  /** Sends SIGSTOP; `resume` sends SIGCONT. */
  stop(): void
  resume(): void
  /** Runs one command on its own connection. */
  ask(...command: string[]): Promise<unknown>
  /** Closes every subscribed connection and returns how many there were. */
  cut(): Promise<number>
  /** Returns the number of subscribed connections. */
  listeners(): Promise<number>
}

/** Creates a Redis that ends with its test. With `up: false`, it does not start it yet. */
export async function testRedis({ up = true } = {}): Promise<TestRedis> {
  const redis = await makeRedis()
  onTestFinished(redis.kill)
  if (up) await redis.start()
  return redis
}

/** Starts a Redis that runs until it is killed, for a whole test file. */
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
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const ask = async (...command: string[]) => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {
      // The failed command throws the error.
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
    resume: () => server?.kill('SIGCONT'),
    ask,
    cut: async () => Number(await ask('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    async listeners() {
      return String(await ask('CLIENT', 'LIST', 'TYPE', 'pubsub')).match(/^id=/gm)?.length ?? 0
    }
  }
}
