import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { digestOf } from '@waystation/base/digest.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import { capabilities, type McpAnswers, type McpConnection, questionsOf } from '@waystation/mcp-client'
import { exposureOf, type HiddenPath } from './exposure.ts'
import { ProgramTransport } from './program-transport.ts'
import type { McpPrograms, Program, ProgramOwner } from './programs.ts'
import { commandLineOf, exposedPaths } from './sandbox.ts'

type RunningProgram = {
  life: string
  owner: ProgramOwner
  transport: ProgramTransport
  ready: Promise<Client>
  during: ReturnType<typeof questionsOf>
  uses: number
  idle?: NodeJS.Timeout | undefined
}

/**
 * Maximum numbers of running programs, and time limits for connecting (`hello`) and being idle, in
 * milliseconds.
 */
const defaultLimits = { ofWorkspace: 8, ofProcess: 32, hello: 20_000, idle: 3_600_000 }

/**
 * Runs the MCP programs of this process's sessions. Each session has its own copy of each program. It starts on
 * first use and ends with the session or the process, or after an hour without use. If a limit is reached, the copy
 * that was unused for the longest time ends for the new one. `error` says why sandboxes do not work on this machine.
 * `hidden` lists the paths that no program can see.
 */
export function programsWith(
  list: ReadonlyMap<string, Program>,
  {
    error,
    hidden = [],
    version,
    limits = {}
  }: {
    error?: string | undefined
    hidden?: readonly HiddenPath[]
    version: string
    limits?: Partial<typeof defaultLimits>
  }
): McpPrograms {
  const { ofWorkspace, ofProcess, hello, idle } = { ...defaultLimits, ...limits }
  const running = new Map<string, RunningProgram>()
  const holds = new Map<string, number>()
  const revisions = new Map<string, number>()
  const ending = new Set<Promise<void>>()
  let stopped = false
  const lifeKeyOf = ({ workspaceId, sessionKey, generation }: ProgramOwner) =>
    JSON.stringify([workspaceId, sessionKey, generation])

  const end = (key: string, entry: RunningProgram) => {
    clearTimeout(entry.idle)
    if (running.get(key) === entry) running.delete(key)
    const closed = entry.transport.close().finally(() => ending.delete(closed))
    ending.add(closed)
  }

  const startIdleTimer = (key: string, entry: RunningProgram) => {
    clearTimeout(entry.idle)
    if (entry.uses > 0 || running.get(key) !== entry) return
    entry.idle = setTimeout(
      () => (holds.has(entry.life) ? startIdleTimer(key, entry) : end(key, entry)),
      idle
    )
    entry.idle.unref()
  }

  /** Ends the program of these that was used least recently, unless all of them are in use. */
  const endUnused = (candidates: [string, RunningProgram][]) => {
    const unused = candidates.find(([, { uses, life }]) => uses === 0 && !holds.has(life))
    if (unused !== undefined) end(...unused)
  }

  const start = (key: string, name: string, program: Program, owner: ProgramOwner, life: string) => {
    const { workspaceId } = owner
    const problem = program.sandbox ? (error ?? exposureOf(exposedPaths(program), hidden)) : undefined
    if (problem !== undefined)
      throw new ToolError(`The program needs a sandbox, but ${problem} Ask the server operator.`)
    if (stopped) throw new ToolError('This server is shutting down. Try again in a moment.')
    const inWorkspace = () => [...running].filter(([, entry]) => entry.owner.workspaceId === workspaceId)
    if (running.size >= ofProcess) endUnused([...running])
    if (inWorkspace().length >= ofWorkspace) endUnused(inWorkspace())
    if (running.size >= ofProcess)
      throw new ToolError(
        `Limit reached: ${running.size} MCP programs are already running on this server. Try again later.`
      )
    const { length } = inWorkspace()
    if (length >= ofWorkspace)
      throw new ToolError(
        `Limit reached: ${length} MCP programs are already running in this workspace. Try again in a minute.`
      )
    const transport = new ProgramTransport(commandLineOf(program))
    const client = new Client({ name: 'waystation', version }, { capabilities })
    const during = questionsOf(client)
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      revisions.set(name, (revisions.get(name) ?? 0) + 1)
    })
    const entry: RunningProgram = { life, owner, transport, uses: 0, during, ready: connectClient() }
    running.set(key, entry)
    client.onclose = () => {
      clearTimeout(entry.idle)
      if (running.get(key) === entry) running.delete(key)
      const { ended: because, complaints } = transport
      if (because !== 'it was stopped' && because !== 'it exited with code 0')
        log('warn', 'an MCP program exited', { program: name, because, complaints })
    }
    return entry

    async function connectClient() {
      try {
        await client.connect(transport, { timeout: hello })
        return client
      } catch (error) {
        const because = transport.ended ?? (error instanceof Error ? error.message : String(error))
        end(key, entry)
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
      life: ProgramOwner,
      name: string,
      signal: AbortSignal,
      work: (talk: McpConnection) => Promise<T>,
      answers: McpAnswers = () => ({ action: 'decline' })
    ) {
      const program = list.get(name)
      if (program === undefined)
        throw new ToolError(
          `This server does not allow a program "${name}". Ask the server operator to add it.`
        )
      const lifeKey = lifeKeyOf(life)
      const key = JSON.stringify([lifeKey, name])
      const entry = running.get(key) ?? start(key, name, program, life, lifeKey)
      entry.uses += 1
      clearTimeout(entry.idle)
      try {
        await orAborted(entry.ready, signal)
        return await entry.during(answers, signal, work)
      } catch (error) {
        const { ended } = entry.transport
        if (ended !== undefined && running.get(key) !== entry && !String(error).includes('did not start'))
          throw new ToolError(
            `The program stopped during the call: ${ended}. The next call starts it again.`,
            {
              cause: error
            }
          )
        throw error
      } finally {
        entry.uses -= 1
        // The map is in the order of the last use.
        if (running.get(key) === entry && running.delete(key)) running.set(key, entry)
        // A program that did not answer in time may never answer again.
        if (signal.aborted && entry.uses === 0) end(key, entry)
        else startIdleTimer(key, entry)
      }
    },
    hold(life) {
      const lifeKey = lifeKeyOf(life)
      holds.set(lifeKey, (holds.get(lifeKey) ?? 0) + 1)
      return (atOnce = false) => {
        const remaining = (holds.get(lifeKey) ?? 1) - 1
        if (remaining > 0) holds.set(lifeKey, remaining)
        else holds.delete(lifeKey)
        for (const [key, entry] of running)
          if (entry.life === lifeKey && atOnce) end(key, entry)
          else if (entry.life === lifeKey) startIdleTimer(key, entry)
      }
    },
    owners: () => [...running.values()].map(({ owner }) => owner),
    revision: name => revisions.get(name) ?? 0,
    async stop() {
      stopped = true
      for (const [key, entry] of running) end(key, entry)
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
