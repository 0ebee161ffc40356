import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { OobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { createAgent } from '#lib/agents/create.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { minuteJobs } from '#lib/compose/jobs.ts'
import { listSubAgents } from '#lib/features/delegation/list-sub-agents.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, lacks, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { enterCode } from '#tests/support/fakes/connect-acme.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, fails, says } from '#tests/support/fakes/openai-replies.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { type TestWorld, testWorld } from '#tests/support/servers/test-server.ts'

/** Runs a job by its name, like the queue does every minute. */
const run = ({ sql }: Pick<TestWorld, 'sql'>, job: string) => sql`select graphile_worker.add_job(${job})`

/** Deletes the pending jobs of a kind and moves past their time. */
async function lose({ sql, pass }: Pick<TestWorld, 'sql' | 'pass'>, job: string, seconds: number) {
  const deleted = await sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${job} returning j.id`
  expect(deleted.length, `jobs of the kind ${job}`).toBeGreaterThan(0)
  await pass(seconds)
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
      const { sql, databaseUrl, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
      const url = databaseUrl()
      const session = await open()
      await session.send('say one')
      await sql`delete from graphile_worker._private_jobs`
      const worker = await testWorld({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
      await run(worker, 'requeue-runnable')
      await session.reads('one')
    }
  },
  'meet-late-deadlines': {
    effect: 'settles a call whose deadline passed while its job was lost',
    async show() {
      const world = await testWorld({
        script: [calls({ name: 'ask-question', input: { question: 'Tea?' } }), says('No answer.')]
      })
      const session = await world.session()
      await session.says('ask me')
      const call = await session.waitsFor('ask-question')
      await world.sql`update calls set deadline = clock_timestamp()`
      await lose(world, 'deadline', 61)
      await run(world, 'meet-late-deadlines')
      expect(await session.settles(call)).toMatchObject({ state: 'expired' })
      await session.reads('No answer.')
    }
  },
  'retry-late': {
    effect: 'retries a failed step whose retry was lost',
    async show() {
      const world = await testWorld({
        script: [fails(429, { headers: { 'retry-after': '100' } }), says('Hello.')]
      })
      const session = await world.session()
      await session.send('hi')
      await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
      await lose(world, 'retry', 165)
      await run(world, 'retry-late')
      await session.reads('Hello.')
    }
  },
  'ring-pending-deliveries': {
    effect: 'sends a delivery again whose next attempt was lost',
    async show() {
      const externalSystem = await startOtherSystem(response =>
        response.writeHead(externalSystem.requests.length > 1 ? 200 : 503, { 'retry-after': '100' }).end()
      )
      const world = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
      await createAgent(
        world.ctx,
        AgentConfig.parse({
          agentId: 'acme',
          displayName: 'Acme',
          type: 'external',
          external: { inputUrl: `${externalSystem.url}/in`, retries: 3 }
        })
      )
      await createSession(world.ctx, { agentId: 'acme', sessionId: 'order-1' })
      const session = await world.reopen('order-1')
      const isDelivery = (state: string) => (event: SessionEvent) =>
        event.type === 'delivery' && event.delivery.state === state && event.delivery.attempts.length > 0
      await session.send('order')
      await session.sees(isDelivery('pending'))
      await lose(world, 'deliver', 165)
      await run(world, 'ring-pending-deliveries')
      await session.sees(isDelivery('delivered'))
    }
  },
  'expire-out-of-band': {
    effect: 'expires an out-of-band message that was not read in time',
    async show() {
      const world = await testWorld()
      const session = await world.session()
      await setOobPolicy(world.ctx, { sessionId: session.id, ...OobPolicy.parse({ mode: 'approve' }) })
      await sendOutOfBand(
        world.ctx,
        SendOob.parse({ sessionId: session.id, content: 'Red.', sourceId: 'ci' })
      )
      await world.sql`update out_of_band set expires_at = clock_timestamp()`
      await run(world, 'expire-out-of-band')
      await session.sees(event => event.type === 'oob' && event.message.status === 'expired')
    }
  },
  compact: {
    effect: 'replaces the chunks of a message that ended ten minutes ago by one event',
    async show() {
      const world = await testWorld({ script: [says('One two three.')] })
      const session = await world.session()
      await session.says('count')
      await world.pass(601)
      await run(world, 'compact')
      await expect
        .poll(() => world.sql`select from events where session_key = ${session.key} and type = 'chunk'`)
        .toEqual([])
      expect(await session.said()).toEqual(['One two three.'])
    }
  },
  'expire-sessions': {
    effect: 'removes a session whose retention is over',
    async show() {
      const world = await testWorld()
      await updateWorkspace(world.ctx, { retentionDays: 1 })
      const session = await world.session()
      await world.sql`update sessions set active_at = active_at - interval '2 days' where key = ${session.key}`
      await world.sql`update events set at = at - interval '2 days' where session_key = ${session.key}`
      await run(world, 'expire-sessions')
      await expect.poll(() => session.get().catch(error => error.code)).toBe('EXPIRED')
    }
  },
  'forget-attempts': {
    effect: 'forgets an attempt to connect after a day',
    async show() {
      const world = await withAcme()
      await world.session.says('connect acme')
      await begin(world.ctx, world.session, await lacks(world.session, 'request_connection'))
      await world.sql`update connection_attempts set created_at = created_at - interval '25 hours'`
      await run(world, 'forget-attempts')
      await expectEmpty(world.sql, 'connection_attempts')
    }
  },
  'forget-sign-ins': {
    effect: 'deletes a sign-in and a used link that are past their end',
    async show() {
      const world = await testWorld()
      await world.sql`insert into users (id, name) values ('ada', 'Ada')`
      await signInCookie(world, 'ada')
      await world.sql`update sign_ins set expires_at = clock_timestamp()`
      await world.sql`insert into used_links (id, ends_at) values ('one', clock_timestamp())`
      await run(world, 'forget-sign-ins')
      await expectEmpty(world.sql, 'sign_ins')
      await expectEmpty(world.sql, 'used_links')
    }
  },
  'forget-unsent-files': {
    effect: 'removes an uploaded file that was not sent within a day',
    async show() {
      const world = await testWorld()
      const session = await world.session()
      await world.sql`
        insert into files (session_key, id, workspace_id, generation, name, media_type, size, digest, bytes, created_by, created_at)
        values (${session.key}, 'file_1', 'default', 1, 'a.txt', 'text/plain', 1, '', '\\x61', '{}',
          clock_timestamp() - interval '25 hours')`
      await run(world, 'forget-unsent-files')
      await expectEmpty(world.sql, 'files')
    }
  },
  'poll-late': {
    effect: 'asks the provider again whether a device code was entered, when that job was lost',
    async show() {
      const world = await withAcme()
      await world.session.says('connect acme')
      const call = await lacks(world.session, 'request_connection')
      const { url } = await begin(world.ctx, world.session, call, 'device')
      const { text } = await new Browser(world.origin).open(url)
      const code = /<p class="code">([^<]+)<\/p>/.exec(text)?.[1] ?? ''
      const address = /class="button primary" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      // Before the code is entered, so that the attempt's own poll job cannot find it.
      await lose(world, 'poll', 36)
      await enterCode(new Browser(world.origin), { code, address })
      await run(world, 'poll-late')
      expect(await world.session.settles(call)).toMatchObject({ output: { connected: true } })
    }
  },
  'fire-late': {
    effect: 'fires an alarm whose job was lost',
    async show() {
      const world = await testWorld()
      await world.agent({ chat: { tools: [{ name: 'alarm-clock' }] } })
      const session = await world.session('test')
      const wakeAtISO = new Date(Date.now() + 30 * 60_000).toISOString()
      await session.says(`use alarm-clock ${JSON.stringify({ wakeAtISO, reminderMessage: 'say Awake' })}`)
      await lose(world, 'alarm', 1835)
      await run(world, 'fire-late')
      await session.sees(
        event => event.type === 'message' && event.message.metadata?.sentBy === 'Alarm clock'
      )
    }
  },
  'mend-sub-agents': {
    effect: 'brings the result of a sub-agent to the call that asked for it, when that job was lost',
    async show() {
      const world = await testWorld()
      const { sql } = world
      await world.agent({ chat: { tools: [{ name: 'spawn-agent' }] } })
      const session = await world.session('test')
      await session.send('use spawn-agent {"task":"say Three birds."}')
      const call = await session.waitsFor('spawn-agent')
      await session.settles(call)
      const [child] = (await listSubAgents(world.ctx, { sessionId: session.id })).subAgents
      const { key } = await world.reopen(child?.sessionId ?? '')
      // As if the job that reports the result had not run.
      await sql`
        update calls set state = 'open', result = null, since = since - interval '1 hour'
        where tool_call_id = ${call.toolCallId}`
      await sql`
        update sessions set reports = true, active_at = active_at - interval '1 hour' where key = ${key}`
      await run(world, 'mend-sub-agents')
      await expect
        .poll(() => sql`select state from calls where tool_call_id = ${call.toolCallId}`)
        .toEqual([{ state: 'answered' }])
    }
  },
  'reseal-connections': {
    effect: 'encrypts stored credentials with the newest key of the vault',
    async show() {
      const [old, newest] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
      const world = await testWorld({ settings: { WAYSTATION_VAULT_KEY: `${newest},${old}` } })
      const purpose = 'connection default a accessToken'
      const sealed = { accessToken: vaultWith([old]).encrypt('a token', purpose) }
      await world.sql`
        insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, secrets,
          connected_by, connected_at, updated_at)
        values ('a', 'default', 'acme', 'acme', 'workspace', '', '', 'oauth', 'active', ${sealed}::jsonb, 'Ann', now(),
          now())`
      await run(world, 'reseal-connections')
      const stored = async () => {
        const [row] = await world.sql<{ token: string }[]>`
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
  }
}

for (const [name, { effect, show }] of Object.entries(jobs))
  test(`each minute the job ${name} ${effect}`, show)

test('every job that runs each minute has a test in this file', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  expect(Object.keys(minuteJobs(ctx)).sort()).toEqual(Object.keys(jobs).sort())
})
