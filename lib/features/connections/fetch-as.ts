import { ToolError } from '@waystation/base/known-error.ts'
import type { Outbound, OutboundResponse } from '@waystation/egress'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ConnectionNeeded, ConsentNeeded } from '#lib/kernel/ports/connection-needed.ts'
import type { ToolRun } from '#lib/tools/tool.ts'
import { decryptCredential } from './credential.ts'
import { type ConnectionRequester, findConnection } from './find.ts'
import { headerOf } from './header-of.ts'
import { type Integration, integrationIfAny, modesOf } from './integration.ts'
import { maskLines, maskSecrets } from './mask-secrets.ts'
import { markRejected, readConnection, renew } from './renew.ts'
import type { ConnectionRow } from './row.ts'

/**
 * Returns the authorized `fetch` of a tool (docs/concepts/engine.md#secrets). Requests carry the credential
 * of the session's connection `slug`, and only to that service's own origins. The tool never sees the
 * credential: responses that contain it have `••••` instead. The connection is read for each request, so that
 * a revoked one ends with the next.
 *
 * Throws `ConnectionNeeded` if there is no connection or the service rejects it. Throws `ConsentNeeded` if
 * others have also influenced the agent and the account's owner has not approved.
 */
export const fetchAs =
  (ctx: Ctx, requester: ConnectionRequester, fetch: Outbound) =>
  (slug: string, integrationId = slug): Outbound => {
    let isUseNoted = false
    return async (path, init) => {
      const integration = await integrationIfAny(ctx, integrationId)
      if (integration === undefined)
        throw new ToolError(
          `There is no integration "${integrationId}" in this workspace. An owner can add it under Connections.`
        )
      const { service } = integration
      const needConnection = (why: string, scopes?: string[]) =>
        new ConnectionNeeded({
          integration: integrationId,
          slug,
          service,
          modes: modesOf(integration),
          why,
          ...(scopes === undefined ? {} : { scopes })
        })
      const url = resolveUrl(integration, path)
      const target = { integration: integrationId, slug }
      if (integration.mcp !== undefined && (await findConnection(ctx, requester, target)) === undefined) {
        // Some MCP servers need no account. If one does, its response names the required scopes.
        const response = await fetch(url, { ...init, redirect: 'manual' })
        if (response.status === 401) throw needConnection('No account is connected.', scopesIn(response))
        return response
      }
      let row = await activeConnection(ctx, requester, target, needConnection)
      checkConsent(requester, row, service)
      if (!isUseNoted) await noteUse(ctx, row, requester)
      isUseNoted = true
      for (let isRetry = false; ; isRetry = true) {
        const credential = decryptCredential(ctx, row, row.secrets)
        const header = headerOf(integration, row.mode, credential)
        const secrets = [...Object.values(credential), ...Object.values(header).map(withoutScheme)]
        const response = await fetch(url, {
          ...init,
          ...(integration.mcp === undefined ? {} : { redirect: 'manual' as const }),
          ...(init?.onData === undefined ? {} : { onData: maskLines(init.onData, secrets) }),
          headers: { ...init?.headers, ...header }
        })
        // After a redirect to another origin the credential was not sent, so the response says nothing about it.
        if (!originsOf(integration).includes(new URL(response.url).origin))
          return maskSecrets(response, secrets)
        const missing = response.status === 403 ? missingScopes(response) : undefined
        // If the connection already has these scopes, asking for them again would never end.
        if (missing?.length && missing.every(scope => row.scopes.includes(scope)))
          throw new ToolError(
            `${service} rejected the request, although the connection has the required scopes: ${missing.join(' ')}.`
          )
        if (missing !== undefined)
          throw needConnection(`${service} requires scopes that this connection does not have.`, [
            ...row.scopes,
            ...missing
          ])
        if (response.status !== 401) return maskSecrets(response, secrets)
        const renewable = !isRetry && row.mode === 'oauth'
        const next = renewable
          ? await renewAfter401(ctx, row)
          : await markRejected(ctx, row, `${service} returned 401: it no longer accepts this connection.`)
        if (next?.state !== 'active' || (next.version === row.version && !renewable))
          throw needConnection(next?.fault ?? `${service} no longer accepts this connection.`)
        row = next
      }
    }
  }

/**
 * Returns `fetchAs` for a running tool, with the account that its call can use. After a wait, the tool runs
 * again from the start.
 */
export const fetchFor = ({ ctx, lease: { sessionKey }, call: { generation, account }, fetch }: ToolRun) =>
  fetchAs(ctx, { sessionKey, generation, account }, fetch)

/** A user's own account is used only if they alone asked, or approved this call. Throws `ConsentNeeded`. */
function checkConsent(requester: ConnectionRequester, { sharing }: ConnectionRow, service: string): void {
  if (requester === 'caller' || sharing !== 'user' || !requester.account) return
  const { approved, ...account } = requester.account
  if (account.others !== undefined && !approved) throw new ConsentNeeded({ service, account })
}

type NeedConnection = (why: string, scopes?: string[]) => ConnectionNeeded

/** Returns the connection to use, with an access token that has not expired. */
async function activeConnection(
  ctx: Ctx,
  requester: ConnectionRequester,
  target: { integration: string; slug: string },
  needConnection: NeedConnection
): Promise<ConnectionRow> {
  const connection = await findConnection(ctx, requester, target)
  if (connection === undefined) throw needConnection('No account is connected.')
  if (connection.state !== 'active') throw needConnection(connection.fault ?? 'The connection was ended.')
  if (connection.fresh !== false) return connection
  const renewed = await renew(ctx, connection)
  if (renewed?.state !== 'active') throw needConnection(renewed?.fault ?? 'The connection was ended.')
  return renewed
}

/** Renews the credential, unless another request has replaced it since this request was sent. */
async function renewAfter401(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  const current = await readConnection(ctx, row.connectionId)
  return current === undefined || current.version !== row.version || current.state !== 'active'
    ? current
    : renew(ctx, current)
}

/** Resolves a URL, which must belong to the service: the model must never choose who receives a credential. */
function resolveUrl(integration: Integration, path: string): string {
  const { service, apiBase } = integration
  const url = URL.parse(path, apiBase.endsWith('/') ? apiBase : `${apiBase}/`)
  if (url === null || !originsOf(integration).includes(url.origin))
    throw new ToolError(`${path.slice(0, 200)} is not a URL of ${service}, so the account was not used.`)
  return url.href
}

const originsOf = ({ apiBase, origins }: Integration): string[] =>
  [apiBase, ...origins].map(address => new URL(address).origin)

/** HTTP Basic contains the entered credential in another form: `user:password` in base64. */
const withoutScheme = (header: string): string => header.replace(/^Basic /, '')

/** Returns the scopes that an `insufficient_scope` error requires (RFC 6750, 3.1). */
function missingScopes(response: OutboundResponse): string[] | undefined {
  const challenge = response.headers.get('www-authenticate') ?? ''
  return /error="?insufficient_scope/.test(challenge) ? scopesIn(response) : undefined
}

const scopesIn = ({ headers }: OutboundResponse): string[] =>
  (/scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '').split(' ').filter(Boolean)

const noteUse = (ctx: Ctx, { connectionId }: ConnectionRow, requester: ConnectionRequester) => ctx.sql`
  with used as (
    insert into connection_uses (connection_id, session_key, used_at)
    select ${connectionId}, s.key, clock_timestamp() from unnest(${requester === 'caller' ? [] : [requester.sessionKey]}::bigint[]) as s(key)
    on conflict (connection_id, session_key) do update set used_at = excluded.used_at
  )
  update connections set last_used_at = clock_timestamp() where id = ${connectionId}`
