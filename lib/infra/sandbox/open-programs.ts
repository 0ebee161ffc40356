import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { digestOf } from '#lib/kernel/digest.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { log } from '#lib/kernel/log.ts'
import type { McpAnswers, McpPrograms, McpTalk, ProgramLife } from '#lib/kernel/ports/mcp-talk.ts'
import { capabilities, questionsOf } from '#lib/net/mcp/questions.ts'
import type { Program } from './allow-list.ts'
import { exposureOf, type HiddenPath } from './hidden-paths.ts'
import { ProgramTransport } from './program-transport.ts'
import { boundBy, commandLineOf } from './sandbox.ts'

type Running = {
  life: string
  workspaceId: string
  transport: ProgramTransport
  ready: Promise<Client>
  during: ReturnType<typeof questionsOf>
  uses: number
  idle?: NodeJS.Timeout | undefined
}

/** How many programs may run at once, and how long one may take to say hello and be idle, in milliseconds. */
const bounds = { ofWorkspace: 8, ofProcess: 32, hello: 20_000, idle: 60_000 }

/**
 * The programs of this process's sessions: each session has its own copy of each, started when it is first needed and ended a
 * minute after it last was, or with the process. `fault`: why none can be run in a sandbox here; `hidden`: what none may see.
 */
export function programsWith(
  list: ReadonlyMap<string, Program>,
  {
    fault,
    hidden = [],
    version,
    limits = {}
  }: {
    fault?: string | undefined
    hidden?: readonly HiddenPath[]
    version: string
    limits?: Partial<typeof bounds>
  }
): McpPrograms {
  const { ofWorkspace, ofProcess, hello, idle } = { ...bounds, ...limits }
  const running = new Map<string, Running>()
  const held = new Map<string, number>()
  const revisions = new Map<string, number>()
  const ending = new Set<Promise<void>>()
  let stopped = false
  const lifeOf = ({ workspaceId, sessionKey, generation }: ProgramLife) =>
    JSON.stringify([workspaceId, sessionKey, generation])

  const end = (key: string, one: Running) => {
    clearTimeout(one.idle)
    if (running.get(key) === one) running.delete(key)
    const closed = one.transport.close().finally(() => ending.delete(closed))
    ending.add(closed)
  }

  const restUnlessUsed = (key: string, one: Running) => {
    clearTimeout(one.idle)
    if (one.uses > 0 || running.get(key) !== one) return
    one.idle = setTimeout(() => (held.has(one.life) ? restUnlessUsed(key, one) : end(key, one)), idle)
    one.idle.unref()
  }

  const start = (key: string, name: string, program: Program, { workspaceId }: ProgramLife, life: string) => {
    const why = program.sandbox ? (fault ?? exposureOf(boundBy(program), hidden)) : undefined
    if (why !== undefined)
      throw new ToolError(`The program needs a sandbox, but ${why} Ask the server operator.`)
    if (stopped) throw new ToolError('This server is shutting down. Try again in a moment.')
    if (running.size >= ofProcess)
      throw new ToolError(
        `Limit reached: ${running.size} MCP programs are already running on this server. Try again later.`
      )
    const ours = [...running.values()].filter(one => one.workspaceId === workspaceId).length
    if (ours >= ofWorkspace)
      throw new ToolError(
        `Limit reached: ${ours} MCP programs are already running in this workspace. Try again in a minute.`
      )
    const transport = new ProgramTransport(commandLineOf(program))
    const client = new Client({ name: 'waystation', version }, { capabilities })
    const during = questionsOf(client)
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      revisions.set(name, (revisions.get(name) ?? 0) + 1)
    })
    const one: Running = { life, workspaceId, transport, uses: 0, during, ready: begin() }
    running.set(key, one)
    client.onclose = () => {
      clearTimeout(one.idle)
      if (running.get(key) === one) running.delete(key)
      const { ended: because, complaints } = transport
      if (because !== 'it was stopped' && because !== 'it exited with code 0')
        log('warn', 'an MCP program exited', { program: name, because, complaints })
    }
    return one

    async function begin() {
      try {
        await client.connect(transport, { timeout: hello })
        return client
      } catch (error) {
        const because = transport.ended ?? (error instanceof Error ? error.message : String(error))
        end(key, one)
        throw new ToolError(`The program did not start: ${because}.`, { cause: error })
      }
    }
  }

  return {
    offered: new Map(
      [...list].map(([name, program]) => {
        const { description } = program
        return [name, { description, digest: digestOf(JSON.stringify(program)) }]
      })
    ),
    async talk<T>(
      life: ProgramLife,
      name: string,
      signal: AbortSignal,
      work: (talk: McpTalk) => Promise<T>,
      answers: McpAnswers = () => ({ action: 'decline' })
    ) {
      const program = list.get(name)
      if (program === undefined)
        throw new ToolError(
          `This server does not allow a program "${name}". Ask the server operator to add it.`
        )
      const whose = lifeOf(life)
      const key = JSON.stringify([whose, name])
      const one = running.get(key) ?? start(key, name, program, life, whose)
      one.uses += 1
      clearTimeout(one.idle)
      try {
        await orAborted(one.ready, signal)
        return await one.during(answers, signal, work)
      } catch (error) {
        const { ended } = one.transport
        if (ended !== undefined && running.get(key) !== one && !String(error).includes('did not start'))
          throw new ToolError(
            `The program stopped during the call: ${ended}. The next call starts it again.`,
            {
              cause: error
            }
          )
        throw error
      } finally {
        one.uses -= 1
        // One that did not answer in time may never answer again.
        if (signal.aborted && one.uses === 0) end(key, one)
        else restUnlessUsed(key, one)
      }
    },
    hold(life) {
      const whose = lifeOf(life)
      held.set(whose, (held.get(whose) ?? 0) + 1)
      return (atOnce = false) => {
        const left = (held.get(whose) ?? 1) - 1
        if (left > 0) held.set(whose, left)
        else held.delete(whose)
        for (const [key, one] of running)
          if (one.life === whose && atOnce) end(key, one)
          else if (one.life === whose) restUnlessUsed(key, one)
      }
    },
    revision: name => revisions.get(name) ?? 0,
    async stop() {
      stopped = true
      for (const [key, one] of running) end(key, one)
      await Promise.all(ending)
    }
  }
}

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const stop = () => reject(new Error('The call was stopped.'))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
    })
  ])
