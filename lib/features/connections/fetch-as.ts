import type { Ctx, Outbound, OutboundAnswer } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { ConnectionNeeded, ConsentNeeded } from '#lib/kernel/ports/connection-needed.ts'
import type { ToolRun } from '#lib/tools/tool.ts'
import { openCredential } from './credential.ts'
import { type ForWhom, findConnection } from './find.ts'
import { headerOf } from './header-of.ts'
import { type Integration, integrationIfAny, modesOf } from './integration.ts'
import { maskLines, maskSecrets } from './mask-secrets.ts'
import { readConnection, refuse, renew } from './renew.ts'
import type { ConnectionRow } from './row.ts'

/**
 * The authorised `fetch` of a tool (docs/concepts/engine.md#secrets): requests carry the credential of the session's connection under `slug`,
 * to that service's own origins and nowhere else; the tool never sees it, and an answer that has it in it comes with
 * `••••` in its place. It is looked up with each request, so that one that is revoked is over with the next.
 *
 * Throws `ConnectionNeeded` when there is no connection or the service refuses it, and `ConsentNeeded` when the agent has words of others, too,
 * and the owner of the account has not allowed it.
 */
export const fetchAs =
  (ctx: Ctx, whose: ForWhom, fetch: Outbound) =>
  (slug: string, integrationId = slug): Outbound => {
    let used = false
    return async (path, init) => {
      const integration = await integrationIfAny(ctx, integrationId)
      if (integration === undefined)
        throw new ToolError(
          `There is no integration "${integrationId}" in this workspace. An owner can add it under Connections.`
        )
      const { service } = integration
      const lack = (why: string, scopes?: string[]) =>
        new ConnectionNeeded({
          integration: integrationId,
          slug,
          service,
          modes: modesOf(integration),
          why,
          ...(scopes === undefined ? {} : { scopes })
        })
      const url = within(integration, path)
      const asked = { integration: integrationId, slug }
      if (integration.mcp !== undefined && (await findConnection(ctx, whose, asked)) === undefined) {
        // Some MCP servers want nobody's account; one that does says which scopes it wants.
        const answer = await fetch(url, { ...init, redirect: 'manual' })
        if (answer.status === 401) throw lack('No account is connected.', scopesIn(answer))
        return answer
      }
      let row = await active(ctx, whose, asked, lack)
      checkConsent(whose, row, service)
      if (!used) await noteUse(ctx, row, whose)
      used = true
      for (let again = false; ; again = true) {
        const credential = openCredential(ctx, row, row.secrets)
        const header = headerOf(integration, row.mode, credential)
        const secrets = [...Object.values(credential), ...Object.values(header).map(withoutScheme)]
        const answer = await fetch(url, {
          ...init,
          ...(integration.mcp === undefined ? {} : { redirect: 'manual' as const }),
          ...(init?.heard === undefined ? {} : { heard: maskLines(init.heard, secrets) }),
          headers: { ...init?.headers, ...header }
        })
        // Where a redirect led elsewhere, the credential was not shown, and nothing is said of it.
        if (!originsOf(integration).includes(new URL(answer.url).origin)) return maskSecrets(answer, secrets)
        const short = answer.status === 403 ? missingScopes(answer) : undefined
        // What was given already is not asked for again and again.
        if (short?.length && short.every(scope => row.scopes.includes(scope)))
          throw new ToolError(
            `${service} rejected the request, although the connection has the required scopes: ${short.join(' ')}.`
          )
        if (short !== undefined)
          throw lack(`${service} requires scopes that this connection does not have.`, [
            ...row.scopes,
            ...short
          ])
        if (answer.status !== 401) return maskSecrets(answer, secrets)
        const renewable = !again && row.mode === 'oauth'
        const next = renewable
          ? await renewedAfter401(ctx, row)
          : await refuse(ctx, row, `${service} returned 401: it no longer accepts this connection.`)
        if (next?.state !== 'active' || (next.version === row.version && !renewable))
          throw lack(next?.fault ?? `${service} no longer accepts this connection.`)
        row = next
      }
    }
  }

/** `fetchAs` for a running tool: with the account that its call can use. The tool runs again from its beginning after a wait. */
export const fetchFor = ({ ctx, lease: { sessionKey }, call: { generation, account }, fetch }: ToolRun) =>
  fetchAs(ctx, { sessionKey, generation, account }, fetch)

/** A person's own account is used if they alone asked, or approved this call. */
function checkConsent(whose: ForWhom, { sharing }: ConnectionRow, service: string): void {
  if (whose === 'caller' || sharing !== 'user' || !whose.account) return
  const { approved, ...account } = whose.account
  if (account.others !== undefined && !approved) throw new ConsentNeeded({ service, account })
}

type Lack = (why: string, scopes?: string[]) => ConnectionNeeded

/** The connection to use, with an access token that has not run out. */
async function active(
  ctx: Ctx,
  whose: ForWhom,
  asked: { integration: string; slug: string },
  lack: Lack
): Promise<ConnectionRow> {
  const found = await findConnection(ctx, whose, asked)
  if (found === undefined) throw lack('No account is connected.')
  if (found.state !== 'active') throw lack(found.fault ?? 'The connection was ended.')
  if (found.fresh !== false) return found
  const renewed = await renew(ctx, found)
  if (renewed?.state !== 'active') throw lack(renewed?.fault ?? 'The connection was ended.')
  return renewed
}

/** Somebody else may have renewed it since this request went out. */
async function renewedAfter401(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  const now = await readConnection(ctx, row.connectionId)
  return now === undefined || now.version !== row.version || now.state !== 'active' ? now : renew(ctx, now)
}

/** Whole addresses only of the service itself: what a model writes never chooses whom a credential is shown to. */
function within(integration: Integration, path: string): string {
  const { service, apiBase } = integration
  const url = URL.parse(path, apiBase.endsWith('/') ? apiBase : `${apiBase}/`)
  if (url === null || !originsOf(integration).includes(url.origin))
    throw new ToolError(`${path.slice(0, 200)} is not a URL of ${service}, so the account was not used.`)
  return url.href
}

const originsOf = ({ apiBase, origins }: Integration): string[] =>
  [apiBase, ...origins].map(one => new URL(one).origin)

/** HTTP Basic has what was entered in another form: `user:password` in base64. */
const withoutScheme = (header: string): string => header.replace(/^Basic /, '')

/** RFC 6750, 3.1: `insufficient_scope`, with the scopes that are needed. */
function missingScopes(answer: OutboundAnswer): string[] | undefined {
  const challenge = answer.headers.get('www-authenticate') ?? ''
  return /error="?insufficient_scope/.test(challenge) ? scopesIn(answer) : undefined
}

const scopesIn = ({ headers }: OutboundAnswer): string[] =>
  (/scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '').split(' ').filter(Boolean)

const noteUse = (ctx: Ctx, { connectionId }: ConnectionRow, whose: ForWhom) => ctx.sql`
  with used as (
    insert into connection_uses (connection_id, session_key, used_at)
    select ${connectionId}, s.key, clock_timestamp() from unnest(${whose === 'caller' ? [] : [whose.sessionKey]}::bigint[]) as s(key)
    on conflict (connection_id, session_key) do update set used_at = excluded.used_at
  )
  update connections set last_used_at = clock_timestamp() where id = ${connectionId}`
