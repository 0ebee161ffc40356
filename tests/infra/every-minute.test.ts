import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { createAgent } from '#lib/agents/create.ts'
import { createWorkspace } from '#lib/auth/workspaces/create-workspace.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { minuteJobs } from '#lib/compose/jobs.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { enterCode } from '#tests/support/fakes/connect-acme.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

/** Runs a job by its name, like the queue does every minute. */
const run = ({ sql }: Pick<TestServer, 'sql'>, job: string) => sql`select graphile_worker.add_job(${job})`

/** Deletes the pending jobs of a kind and moves past their time. */
async function lose(
  { sql, advanceTime }: Pick<TestServer, 'sql' | 'advanceTime'>,
  job: string,
  seconds: number
) {
  const deleted = await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${job} returning j.id`
  expect(deleted.length, `jobs of the kind ${job}`).toBeGreaterThan(0)
  await advanceTime(seconds)
}

const expectEmpty = (sql: Pool, table: string) =>
  expect.poll(() => sql`select from ${sql(table)}`).toEqual([])

/**
 * The purpose of each job that runs every minute. `show` creates the situation, runs the job and checks its effect.
 */
const jobs: Record<string, { effect: string; show(): Promise<void> }> = {
  'requeue-runnable': {
    effect: 'runs the turn of a session whose wake-up was lost',
    async show() {
      const {
        sql,
        databaseUrl,
        startSession: open
      } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
      const url = databaseUrl()
      const session = await open()
      await session.send('say one')
      await sql`delete from graphile_worker._private_jobs`
      const worker = await startTestServer({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
      await run(worker, 'requeue-runnable')
      await session.waitForText('one')
    }
  },
  'meet-late-deadlines': {
    effect: 'settles a call whose deadline passed while its job was lost',
    async show() {
      const server = await startTestServer({
        script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }), replyText('No answer.')]
      })
      const session = await server.startSession()
      await session.runTurn('ask me')
      const call = await session.waitForCall('ask-question')
      await server.sql`update calls set deadline = clock_timestamp()`
      await lose(server, 'deadline', 61)
      await run(server, 'meet-late-deadlines')
      expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
      await session.waitForText('No answer.')
    }
  },
  'retry-late': {
    effect: 'retries a failed step whose retry was lost',
    async show() {
      const server = await startTestServer({
        script: [replyError(429, { headers: { 'retry-after': '100' } }), replyText('Hello.')]
      })
      const session = await server.startSession()
      await session.send('hi')
      await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
      await lose(server, 'retry', 165)
      await run(server, 'retry-late')
      await session.waitForText('Hello.')
    }
  },
  'ring-pending-deliveries': {
    effect: 'sends a delivery again whose next attempt was lost',
    async show() {
      const externalSystem = await startExternalSystem(response =>
        response.writeHead(externalSystem.requests.length > 1 ? 200 : 503, { 'retry-after': '100' }).end()
      )
      const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
      await createAgent(
        server.ctx,
        AgentConfig.parse({
          agentId: 'acme',
          displayName: 'Acme',
          type: 'external',
          external: { inputUrl: `${externalSystem.url}/in`, retries: 3 }
        })
      )
      await createSession(server.ctx, { agentId: 'acme', sessionId: 'order-1' })
      const session = await server.reopenSession('order-1')
      const isDelivery = (state: string) => (event: SessionEvent) =>
        event.type === 'delivery' && event.delivery.state === state && event.delivery.attempts.length > 0
      await session.send('order')
      await session.waitForEvent(isDelivery('pending'))
      await lose(server, 'deliver', 165)
      await run(server, 'ring-pending-deliveries')
      await session.waitForEvent(isDelivery('delivered'))
    }
  },
  'expire-out-of-band': {
    effect: 'expires an out-of-band message that was not read in time',
    async show() {
      const server = await startTestServer()
      const session = await server.startSession()
      await setOobPolicy(server.ctx, { sessionId: session.id, ...OobPolicy.parse({ mode: 'approve' }) })
      await sendOutOfBand(
        server.ctx,
        SendOob.parse({ sessionId: session.id, content: 'Red.', sourceId: 'ci' })
      )
      await server.sql`update out_of_band set expires_at = clock_timestamp()`
      await run(server, 'expire-out-of-band')
      await session.waitForEvent(event => event.type === 'oob' && event.message.status === 'expired')
    }
  },
  compact: {
    effect: 'replaces the chunks of a message that ended ten minutes ago by one event',
    async show() {
      const server = await startTestServer({ script: [replyText('One two three.')] })
      const session = await server.startSession()
      await session.runTurn('count')
      await server.advanceTime(601)
      await run(server, 'compact')
      await expect
        .poll(() => server.sql`select from events where session_key = ${session.key} and type = 'chunk'`)
        .toEqual([])
      expect(await session.agentTexts()).toEqual(['One two three.'])
    }
  },
  'expire-sessions': {
    effect: 'removes a session whose retention is over',
    async show() {
      const server = await startTestServer()
      await updateWorkspace(server.ctx, { retentionDays: 1 })
      const session = await server.startSession()
      await server.sql`update sessions set active_at = active_at - interval '2 days' where key = ${session.key}`
      await server.sql`update events set at = at - interval '2 days' where session_key = ${session.key}`
      await run(server, 'expire-sessions')
      await expect.poll(() => session.get().catch(error => error.code)).toBe('EXPIRED')
    }
  },
  'delete-snapshots': {
    effect: 'deletes a snapshot that no session uses',
    async show() {
      const { sql, ...server } = await startTestServer()
      await sql`
        insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by, saved_at, source)
        select workspace_id, id, -n, config, 'Ann', clock_timestamp() - interval '8 days', 'trial'
        from agents, generate_series(1, 2) n where id = 'guide'`
      await run({ sql, ...server }, 'delete-snapshots')
      await expect
        .poll(() => sql`select revision from agent_revisions where revision < 0`)
        .toEqual([{ revision: -2 }])
    }
  },
  'delete-workspaces': {
    effect: 'deletes the data of a deleted workspace',
    async show() {
      const server = await startTestServer()
      await createWorkspace(server.ctx, { name: 'Gone' })
      await server.sql`update workspaces set deleted_at = clock_timestamp() where name = 'Gone'`
      await run(server, 'delete-workspaces')
      await expect.poll(() => server.sql`select name from workspaces`).toHaveLength(1)
    }
  },
  'forget-attempts': {
    effect: 'forgets an attempt to connect after a day',
    async show() {
      const server = await withAcme()
      await server.session.runTurn('connect acme')
      await begin(
        server.ctx,
        server.session,
        await waitForConnectionCall(server.session, 'request_connection')
      )
      await server.sql`update connection_attempts set created_at = created_at - interval '25 hours'`
      await run(server, 'forget-attempts')
      await expectEmpty(server.sql, 'connection_attempts')
    }
  },
  'forget-sign-ins': {
    effect: 'deletes a sign-in and a used link that are past their end',
    async show() {
      const server = await startTestServer()
      await server.sql`insert into users (id, name) values ('ada', 'Ada')`
      await signInCookie(server, 'ada')
      await server.sql`update sign_ins set expires_at = clock_timestamp()`
      await server.sql`insert into used_links (id, ends_at) values ('one', clock_timestamp())`
      await run(server, 'forget-sign-ins')
      await expectEmpty(server.sql, 'sign_ins')
      await expectEmpty(server.sql, 'used_links')
    }
  },
  'forget-unsent-files': {
    effect: 'removes an uploaded file that was not sent within a day',
    async show() {
      const server = await startTestServer()
      const session = await server.startSession()
      await server.sql`
        insert into files (session_key, id, workspace_id, generation, name, media_type, size, digest, bytes, created_by, created_at)
        values (${session.key}, 'file_1', 'default', 1, 'a.txt', 'text/plain', 1, '', '\\x61', '{}',
          clock_timestamp() - interval '25 hours')`
      await run(server, 'forget-unsent-files')
      await expectEmpty(server.sql, 'files')
    }
  },
  'poll-late': {
    effect: 'asks the provider again whether a device code was entered, when that job was lost',
    async show() {
      const server = await withAcme()
      await server.session.runTurn('connect acme')
      const call = await waitForConnectionCall(server.session, 'request_connection')
      const { url } = await begin(server.ctx, server.session, call, 'device')
      const { text } = await new Browser(server.origin).open(url)
      const code = /<p class="code">([^<]+)<\/p>/.exec(text)?.[1] ?? ''
      const address = /class="button primary" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      // Before the code is entered, so that the attempt's own poll job cannot find it.
      await lose(server, 'poll', 36)
      await enterCode(new Browser(server.origin), { code, address })
      await run(server, 'poll-late')
      expect(await server.session.waitForSettled(call)).toMatchObject({ output: { connected: true } })
    }
  },
  'fire-late': {
    effect: 'fires an alarm whose job was lost',
    async show() {
      const server = await startTestServer()
      await server.saveAgent({ chat: { tools: [{ name: 'alarm-clock' }] } })
      const session = await server.startSession('test')
      const wakeAtISO = new Date(Date.now() + 30 * 60_000).toISOString()
      await session.runTurn(`use alarm-clock ${JSON.stringify({ wakeAtISO, reminderMessage: 'say Awake' })}`)
      await lose(server, 'alarm', 1835)
      await run(server, 'fire-late')
      await session.waitForEvent(
        event => event.type === 'message' && event.message.metadata?.sentBy === 'Alarm clock'
      )
    }
  },
  'mend-sub-agents': {
    effect: 'brings the result of a sub-agent to the call that asked for it, when that job was lost',
    async show() {
      const server = await startTestServer()
      const { sql } = server
      await server.saveAgent({ chat: { tools: [{ name: 'spawn-agent' }] } })
      const session = await server.startSession('test')
      await session.send('use spawn-agent {"task":"say Three birds."}')
      const call = await session.waitForCall('spawn-agent')
      await session.waitForSettled(call)
      const [child] = (await listSubAgents(server.ctx, { sessionId: session.id })).subAgents
      const { key } = await server.reopenSession(child?.sessionId ?? '')
      // As if the job that reports the result had not run.
      await sql`
        update calls set state = 'open', result = null, since = since - interval '1 hour'
        where tool_call_id = ${call.toolCallId}`
      await sql`
        update sessions set reports = true, active_at = active_at - interval '1 hour' where key = ${key}`
      await run(server, 'mend-sub-agents')
      await expect
        .poll(() => sql`select state from calls where tool_call_id = ${call.toolCallId}`)
        .toEqual([{ state: 'answered' }])
    }
  },
  'end-mcp-sessions': {
    effect: 'ends the MCP sessions of sessions that no longer exist',
    async show() {
      const server = await startTestServer()
      const { key } = await server.startSession()
      const store = (generation: number) => server.sql`
        insert into mcp_sessions (session_key, generation, workspace_id, integration, url, connection_id, secret,
          protocol_version, opened_at)
        values (${key}, ${generation}, 'default', 'shop', 'https://shop.example/mcp', '', 'v1', '2025-11-25', now())`
      await store(1)
      await store(2)
      await run(server, 'end-mcp-sessions')
      await expect.poll(() => server.sql`select generation from mcp_sessions`).toEqual([{ generation: 1 }])
    }
  },
  'reseal-connections': {
    effect: 'encrypts stored credentials with the newest key of the vault',
    async show() {
      const [old, newest] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
      const server = await startTestServer({ settings: { WAYSTATION_VAULT_KEY: `${newest},${old}` } })
      const purpose = 'connection default a accessToken'
      const sealed = { accessToken: vaultWith([old]).encrypt('a token', purpose) }
      await server.sql`
        insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, secrets,
          connected_by, connected_at, updated_at)
        values ('a', 'default', 'acme', 'acme', 'workspace', '', '', 'oauth', 'active', ${sealed}::jsonb, 'Ann', now(),
          now())`
      await run(server, 'reseal-connections')
      const stored = async () => {
        const [row] = await server.sql<{ token: string }[]>`
          select secrets ->> 'accessToken' as token from connections`
        return row?.token ?? ''
      }
      await expect
        .poll(async () => {
          try {
            return vaultWith([newest]).decrypt(await stored(), purpose)
          } catch {
            return 'still under the old key'
          }
        })
        .toBe('a token')
    }
  },
  'reseal-secrets': {
    effect: 'encrypts secrets of workspaces with the newest key of the vault',
    show: () =>
      showReencrypted(
        'reseal-secrets',
        'workspace_secrets',
        'secret',
        (sql, sealed) => sql`
        insert into workspace_secrets (workspace_id, name, sealed, saved_by, saved_at)
        values ('default', 'weather', ${sealed}, 'Ann', now())`
      )
  },
  'reseal-models': {
    effect: 'encrypts keys of model providers with the newest key of the vault',
    show: () =>
      showReencrypted(
        'reseal-models',
        'model_providers',
        'model provider',
        (sql, sealed) => sql`
        insert into model_providers (workspace_id, name, kind, values, sealed, saved_by, saved_at)
        values ('default', 'weather', 'mistral', '{}', ${sealed}, 'Ann', now())`
      )
  }
}

/** Shows that a job encrypts the `sealed` column of a row named `weather` with the newest key. */
async function showReencrypted(
  job: Parameters<typeof run>[1],
  table: string,
  kind: string,
  insert: (sql: Pool, sealed: string) => PromiseLike<unknown>
) {
  const [old, newest] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const server = await startTestServer({ settings: { WAYSTATION_VAULT_KEY: `${newest},${old}` } })
  const purpose = `${kind}\ndefault\nweather`
  await insert(server.sql, vaultWith([old]).encrypt('{"apiKey":"a key"}', purpose))
  await run(server, job)
  const stored = async () => {
    const [row] = await server.sql<{ sealed: string }[]>`select sealed from ${server.sql(table)}`
    return row?.sealed ?? ''
  }
  const newestKey = vaultWith([newest]).encrypt('', '').split('.')[1]
  await expect.poll(async () => (await stored()).split('.')[1]).toBe(newestKey)
  expect(vaultWith([newest]).decrypt(await stored(), purpose)).toBe('{"apiKey":"a key"}')
}

for (const [name, { effect, show }] of Object.entries(jobs))
  test(`each minute the job ${name} ${effect}`, show)

test('every job that runs each minute has a test in this file', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  expect(Object.keys(minuteJobs(ctx)).sort()).toEqual(Object.keys(jobs).sort())
})
