import { type EgressPolicy, parseEgressPolicy, safeFetch } from '@waystation/egress'
import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '#lib/deliveries/deliver.ts'
import { createWebhook } from '#lib/features/webhooks/webhooks.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { webFetch } from '#lib/tools/web-fetch.ts'
import { literals } from '#tests/support/fakes/net-hostile.ts'
import { moved, serving } from '#tests/support/fakes/net-listen.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** A way in which Waystation calls a URL that an outsider chose. Returns the error text. */
type Caller = (policy: EgressPolicy, url: string) => Promise<string>

/** The hostile addresses that URL parsers accept. A URL parser reduces each form to one address. */
export const hostileAddresses = literals.filter(host => URL.canParse(`http://${host}/`)).slice(0, 90)
const addressOf = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$|\.+$/g, '')

const blocked = /WAYSTATION_EGRESS_ALLOW/

/**
 * Returns the callers: a tool of an agent, a message to an external agent, a call of an external tool, and a
 * webhook.
 */
async function openCallers(): Promise<Record<string, Caller>> {
  const server = await startTestServer()
  const session = await server.startSession()
  await session.runTurn('ask me to choose between tea and coffee')
  const { toolCallId } = await session.waitForCall('ask-question')
  const { webhook } = await createWebhook(
    server.ctx,
    CreateWebhook.parse({ url: 'https://hooks.example/in' })
  )
  const delivery = async (kind: string, ids: Record<string, string>) => {
    const columns = { message_id: null, tool_call_id: null, webhook_id: null, ...ids }
    await server.sql`
      insert into deliveries ${server.sql({
        id: `dlv_${kind}`,
        workspace_id: 'default',
        session_key: session.key,
        kind,
        url: 'https://nowhere.example/',
        body: '{}',
        state: 'failed',
        retries: 0,
        ...columns
      } as never)}`
    return deliveryTo(server.ctx, `dlv_${kind}`)
  }
  return {
    'web-fetch': async (policy, url) => {
      const signal = AbortSignal.timeout(5_000)
      const context = {
        signal,
        callId: 'call_1',
        fetch: (to: string, init: object = {}) => safeFetch(policy, to, { ...init, signal })
      }
      return webFetch.execute!(webFetch.input.parse({ url }), context as never).then(
        page => JSON.stringify(page),
        error => String(error.message)
      )
    },
    message: await delivery('message', { message_id: 'msg_1' }),
    'call.opened': await delivery('call.opened', { tool_call_id: toolCallId }),
    webhook: await delivery('webhook', { webhook_id: webhook.webhookId })
  }
}

/** Returns a caller that sends a delivery to the URL, like its job would, and returns the text of its attempts. */
const deliveryTo =
  (ctx: Ctx, id: string): Caller =>
  async (policy, url) => {
    await ctx.sql`update deliveries set state = 'pending', url = ${url}, attempts = '[]' where id = ${id}`
    const fetch: Ctx['ports']['fetch'] = (target, init) => safeFetch(policy, target, init)
    await deliver({ ...ctx, ports: { ...ctx.ports, fetch } }, id)
    const [row] = await ctx.sql<{ state: string; attempts: string }[]>`
      select state, attempts::text from deliveries where id = ${id}`
    expect(row?.state).not.toBe('pending')
    return row?.attempts ?? ''
  }

/** Declares tests that no caller reaches an internal server at these addresses. */
export function expectNothingReached(hostile: readonly string[]): void {
  let canary: Awaited<ReturnType<typeof serving>>
  beforeAll(async () => {
    canary = await serving()
  })
  afterAll(() => canary[Symbol.asyncDispose]())

  describe.each(['web-fetch', 'message', 'call.opened', 'webhook'])(
    'nothing inside is reached through %s',
    name => {
      test(`${hostile.length} hostile addresses, each as a literal, behind a name, behind a redirect and by rebinding`, async () => {
        const call = (await openCallers())[name]!
        await using front = await serving()
        const allow = `127.0.0.1:${front.port}`
        for (const host of hostile) {
          const inside = `http://${host}:${canary.port}/`
          expect(await call(parseEgressPolicy(''), inside), host).toMatch(blocked)

          const named = parseEgressPolicy('', { resolve: async () => [addressOf(host)] })
          expect(await call(named, `http://inside.test:${canary.port}/`), `a name for ${host}`).toMatch(
            blocked
          )

          // web-fetch follows the redirect and is blocked there. Requests to external systems follow no redirects.
          const redirected = await call(parseEgressPolicy(allow), moved(front.origin, inside))
          expect(redirected, `a redirect to ${host}`).toMatch(
            name === 'web-fetch' ? blocked : /responded with 302/
          )

          let lookups = 0
          const rebinding = parseEgressPolicy(allow, {
            resolve: async () => (lookups++ === 0 ? ['127.0.0.1'] : [addressOf(host)])
          })
          await call(rebinding, `http://rebind.test:${front.port}/`)
          expect(lookups, `rebinding to ${host}`).toBe(1)
        }
        expect(canary.connections()).toBe(0)
        expect(front.requests.length).toBeGreaterThan(hostile.length)
      })
    }
  )
}
