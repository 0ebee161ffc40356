import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@waystation/base/log.ts'
import type {
  HostedPlugin,
  PluginCall,
  PluginHost,
  RouteAnswer,
  RouteRequest
} from '@waystation/plugin-host/contract.ts'
import { PluginError, type PluginErrorReason } from '@waystation/plugin-host/plugin-error.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { deadAfterSeconds } from './process-index.ts'

/** The key of notifications about requests to copies. No session has it. */
const wakeKey = 0
/** How often a process looks for a response whose notification was lost, in milliseconds. */
const pollMs = 500
/** Time limit of a request to a copy, in milliseconds. It is longer than that of each call to a plugin. */
const timeoutMs = 45_000

type View = Parameters<HostedPlugin['renderView']>[0]
type Packed<T> = Omit<T, 'body'> & { body: string }
type Request = Pick<PluginCall, 'userId' | 'idempotencyKey'> &
  ({ view: View } | { route: Packed<RouteRequest> })
type Response =
  | { hcl: string }
  | { answer: Packed<RouteAnswer> }
  | { reason: PluginErrorReason; message: string }

/** The copy of a plugin in another process. */
export type Copy = { processId: string; workspaceId: string; plugin: string }

/** Sends requests to copies of plugins in other processes through the database, and answers those for this process. */
export type Forwarder = {
  renderView: (to: Copy, view: View, call: PluginCall) => Promise<string>
  handleRoute: (to: Copy, request: RouteRequest, call: PluginCall) => Promise<RouteAnswer>
  /** Answers requests whose notification was lost. */
  answerAll: () => Promise<void>
  stop: () => void
}

/**
 * @param processId this process
 * @param bus wakes the other process
 * @param host runs the plugins of this process
 */
export function forwarder(
  { sql }: Pick<Ctx, 'sql'>,
  { processId, bus, host }: { processId: string; bus: PubSub; host: Pick<PluginHost, 'of'> }
): Forwarder {
  const listeners = new Set<() => void>()
  /** Set once this process has copies, so that others can send requests to it. */
  let hasCopies = false

  const send = async (to: Copy, request: Request, { signal }: PluginCall): Promise<Response> => {
    const id = randomUUID()
    const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    await sql`
      insert into plugin_requests (id, process_id, workspace_id, plugin, request, taken, created_at)
      select ${id}, id, ${to.workspaceId}, ${to.plugin}, ${request}::jsonb, false, clock_timestamp()
      from plugin_processes where id = ${to.processId}`
    bus.publish(wakeKey)
    try {
      for (;;) {
        const woken = new Promise<void>(resolve => listeners.add(resolve))
        const [row] = await sql<{ response: Response | null; alive: boolean }[]>`
          select response, seen_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds}) as alive
          from plugin_requests join plugin_processes on plugin_processes.id = process_id
          where plugin_requests.id = ${id}`
        if (row?.response) return row.response
        if (!row?.alive)
          throw new PluginError('unavailable', 'The plugin is unavailable: its server process has stopped.')
        if (signal?.aborted) throw new PluginError('stopped', 'The call was stopped.')
        if (ended.aborted) throw new PluginError('late', 'The plugin did not respond in time.')
        await Promise.race([woken, pause(pollMs, undefined, { signal: ended }).catch(() => undefined)])
      }
    } finally {
      await sql`delete from plugin_requests where id = ${id}`
    }
  }

  const ask = async (to: Copy, request: Request, call: PluginCall) => {
    const response = await send(to, request, call)
    if ('reason' in response) throw new PluginError(response.reason, response.message)
    return response
  }

  const answer = async (
    workspaceId: string,
    name: string,
    { userId, idempotencyKey, ...request }: Request
  ) => {
    const plugin = host.of(workspaceId).find(plugin => plugin.name === name)
    const call = { userId, idempotencyKey, signal: AbortSignal.timeout(timeoutMs) }
    if (plugin === undefined)
      throw new PluginError('unavailable', 'The plugin is unavailable: it was removed.')
    if ('view' in request) return { hcl: await plugin.renderView(request.view, call) }
    return { answer: packed(await plugin.handleRoute(unpacked(request.route), call)) }
  }

  const answerAll = async () => {
    hasCopies = true
    const rows = await sql<{ id: string; workspaceId: string; plugin: string; request: Request }[]>`
      update plugin_requests set taken = true where process_id = ${processId} and not taken
      returning id, workspace_id, plugin, request`
    await Promise.all(
      rows.map(async ({ id, workspaceId, plugin, request }) => {
        const response: Response = await answer(workspaceId, plugin, request).catch(error => {
          if (error instanceof PluginError) return { reason: error.reason, message: error.message }
          log('error', 'a request to a copy of a plugin failed', { plugin, error })
          return { reason: 'failed', message: 'The plugin failed.' }
        })
        await sql`update plugin_requests set response = ${response}::jsonb where id = ${id}`
        bus.publish(wakeKey)
      })
    )
  }

  const unsubscribe = bus.subscribe(key => {
    if (key !== null && key !== wakeKey) return
    for (const wake of listeners) wake()
    listeners.clear()
    if (!hasCopies) return
    answerAll().catch(error => log('warn', 'requests to copies of plugins could not be read', { error }))
  })
  return {
    async renderView(to, view, { userId, idempotencyKey, signal }) {
      const response = await ask(to, { view, userId, idempotencyKey }, { signal })
      return 'hcl' in response ? response.hcl : ''
    },
    async handleRoute(to, request, { userId, idempotencyKey, signal }) {
      const response = await ask(to, { route: packed(request), userId, idempotencyKey }, { signal })
      if (!('answer' in response)) throw new PluginError('invalid', 'The response is not that of a route.')
      return unpacked(response.answer)
    },
    answerAll,
    stop: unsubscribe
  }
}

/** Bodies are bytes, so JSON has them as base64. */
const packed = <T extends { body: Uint8Array }>({ body, ...rest }: T): Packed<T> =>
  ({ ...rest, body: Buffer.from(body).toString('base64') }) as Packed<T>
const unpacked = <T extends { body: string }>({ body, ...rest }: T) => ({
  ...rest,
  body: new Uint8Array(Buffer.from(body, 'base64'))
})
