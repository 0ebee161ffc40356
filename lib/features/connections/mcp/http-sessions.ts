import { type McpConnection, type McpSession, SessionForgotten, withMcp } from '@waystation/mcp-client'
import type { McpListing } from '@waystation/protocol/connection/mcp.ts'
import { fetchFor } from '#lib/features/connections/fetch-as.ts'
import { findConnection } from '#lib/features/connections/find.ts'
import { maxResponseBytes } from '#lib/tools/service-response.ts'
import type { ToolRun } from '#lib/tools/tool.ts'
import { questionAnswers } from './mcp-questions.ts'

/** Handshakes that are running in this process. Parallel calls of a turn wait, so that they share one session. */
const handshakes = new Map<string, Promise<void>>()

/**
 * Runs `work` at an MCP server over HTTP. If the server has sessions, each agent instance has one for each account
 * (001-19). It is opened by the first call, stored, and continued by later calls in any process. `isNew`: the server
 * no longer knew the instance's session, so `work` runs in a new one.
 */
export async function inHttpSession<T>(
  { integration, slug, service, url }: McpListing,
  run: ToolRun,
  work: (talk: McpConnection, isNew: boolean) => Promise<T>
): Promise<T> {
  const { ctx, lease, call, signal } = run
  const { sessionKey } = lease
  const { generation, account } = call
  const row = await findConnection(ctx, { sessionKey, generation, account }, { integration, slug })
  const owner: SessionOwner = {
    sessionKey,
    generation,
    workspaceId: ctx.workspaceId,
    integration,
    connectionId: row?.connectionId ?? ''
  }
  const options = {
    url,
    fetch: fetchFor(run)(slug, integration),
    signal,
    maxBytes: maxResponseBytes,
    answers: questionAnswers(service, call.elicited)
  }
  for (let isNew = false; ; isNew = true) {
    const finish = await waitForHandshakes(JSON.stringify(owner))
    let secret = ''
    try {
      const known = await readStored(run, owner, url)
      const { stored } = known
      secret = known.secret
      if (stored !== undefined) finish()
      const opened = async (session: McpSession | undefined) => {
        if (session !== undefined) await store(run, owner, url, session)
        finish()
      }
      return await withMcp({ ...options, session: { stored, opened } }, talk => work(talk, isNew))
    } catch (error) {
      if (!(error instanceof SessionForgotten)) throw error
      // Another call can have stored a new session in the meantime.
      await ctx.sql`delete from mcp_sessions where ${matches(run, owner)} and secret = ${secret}`
    } finally {
      finish()
    }
  }
}

/** The agent instance, the server and the account of a stored session. */
export type SessionOwner = {
  sessionKey: number
  generation: number
  workspaceId: string
  integration: string
  connectionId: string
}

/** Returns the encryption context of a session's ID. */
export const purposeOf = ({
  sessionKey,
  generation,
  workspaceId,
  integration,
  connectionId
}: SessionOwner): string =>
  `mcp session ${workspaceId} ${sessionKey} ${generation} ${integration} ${connectionId}`

/** Waits until no other call does a handshake for this owner. Returns the function that lets the next one continue. */
async function waitForHandshakes(key: string): Promise<() => void> {
  for (let other = handshakes.get(key); other !== undefined; other = handshakes.get(key)) await other
  const { promise, resolve } = Promise.withResolvers<void>()
  handshakes.set(key, promise)
  return () => {
    if (handshakes.get(key) === promise) handshakes.delete(key)
    resolve()
  }
}

const matches = ({ ctx: { sql } }: ToolRun, owner: SessionOwner) => sql`
  session_key = ${owner.sessionKey} and generation = ${owner.generation}
    and integration = ${owner.integration} and connection_id = ${owner.connectionId}`

async function readStored(
  run: ToolRun,
  owner: SessionOwner,
  url: string
): Promise<{ secret: string; stored: McpSession | undefined }> {
  const { ctx } = run
  const [row] = await ctx.sql<{ secret: string; protocolVersion: string }[]>`
    select secret, protocol_version from mcp_sessions where ${matches(run, owner)} and url = ${url}`
  if (row === undefined) return { secret: '', stored: undefined }
  const { secret, protocolVersion } = row
  return { secret, stored: { id: ctx.ports.vault.decrypt(secret, purposeOf(owner)), protocolVersion } }
}

async function store({ ctx }: ToolRun, owner: SessionOwner, url: string, session: McpSession): Promise<void> {
  const secret = ctx.ports.vault.encrypt(session.id, purposeOf(owner))
  await ctx.sql`
    insert into mcp_sessions (session_key, generation, workspace_id, integration, connection_id, url, secret,
      protocol_version, opened_at)
    values (${owner.sessionKey}, ${owner.generation}, ${owner.workspaceId}, ${owner.integration},
      ${owner.connectionId}, ${url}, ${secret}, ${session.protocolVersion}, clock_timestamp())
    on conflict (session_key, generation, integration, connection_id) do update set url = excluded.url,
      secret = excluded.secret, protocol_version = excluded.protocol_version, opened_at = excluded.opened_at`
}
