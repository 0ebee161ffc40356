import { randomUUID } from 'node:crypto'
import { log } from '@waystation/base/log.ts'
import type { HostedPlugin, PluginCall, PluginHost } from '@waystation/plugin-host/contract.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type Copy, forwarder } from './forward.ts'
import { deadAfterSeconds, processIndex } from './process-index.ts'

/** The copies of local plugins in this process, next to those of other processes. */
export type Copies = {
  /** Like `ProcessIndex.claim`. Also answers the requests of other processes that this one has missed. */
  claim: () => Promise<number>
  stop: () => Promise<void>
}

/**
 * Makes a host whose local plugins receive a view's requests in the process that holds the user's newest stream to the
 * plugin (003-14). A plugin's memory differs between processes, so that the view shows what the stream is about.
 * Without an open stream, the plugin of this process receives them.
 */
export function withCopies<Host extends PluginHost>(
  ctx: Ctx,
  host: Host,
  bus: PubSub
): { host: Host; copies: Copies } {
  const { sql } = ctx
  const self = processIndex(ctx)
  const forward = forwarder(ctx, { processId: self.id, bus, host })

  /** Returns the process of the user's newest stream, unless it is this one. */
  const holderOf = async (workspaceId: string, plugin: string, { userId }: PluginCall) => {
    const [row] = await sql<Pick<Copy, 'processId'>[]>`
      select process_id from plugin_streams join plugin_processes on plugin_processes.id = process_id
      where workspace_id = ${workspaceId} and plugin = ${plugin} and user_id = ${userId ?? null}
        and seen_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})
      order by opened_at desc limit 1`
    return row === undefined || row.processId === self.id ? undefined : { ...row, workspaceId, plugin }
  }
  const routed = (workspaceId: string, plugin: HostedPlugin): HostedPlugin => {
    const { name, isLocal } = plugin
    if (!isLocal || plugin.views.length === 0) return plugin
    return Object.assign(Object.create(plugin) as HostedPlugin, {
      renderView: async (view, call) => {
        const holder = await holderOf(workspaceId, name, call)
        return holder ? forward.renderView(holder, view, call) : plugin.renderView(view, call)
      },
      handleRoute: async (request, call) => {
        const holder = await holderOf(workspaceId, name, call)
        return holder ? forward.handleRoute(holder, request, call) : plugin.handleRoute(request, call)
      },
      async *handleStream(person, outgoing, call) {
        const id = randomUUID()
        await sql`
          insert into plugin_streams (id, process_id, workspace_id, plugin, user_id, opened_at)
          values (${id}, ${self.id}, ${workspaceId}, ${name}, ${call.userId ?? ''}, clock_timestamp())`.catch(
          error => log('warn', 'views cannot find a plugin stream', { plugin: name, error })
        )
        try {
          yield* plugin.handleStream(person, outgoing, call)
        } finally {
          await sql`delete from plugin_streams where id = ${id}`.catch(error =>
            log('warn', 'the end of a plugin stream could not be stored', { plugin: name, error })
          )
        }
      }
    } satisfies Partial<HostedPlugin>)
  }
  return {
    host: { ...host, of: workspaceId => host.of(workspaceId).map(plugin => routed(workspaceId, plugin)) },
    copies: {
      async claim() {
        const index = await self.claim()
        await forward.answerAll()
        return index
      },
      async stop() {
        forward.stop()
        await self.release()
      }
    }
  }
}
