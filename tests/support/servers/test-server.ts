import { AgentConfig as AgentSchema, type ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { fullTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import type { SessionEvent, StatusEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { onTestFinished } from 'vitest'
import type { Pool } from '#db/client.ts'
import { seedOn } from '#db/seed.ts'
import { composeServer, type RunningServer } from '#lib/compose/compose.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { extendCall } from '#lib/engine/calls/extend.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { type Env, readEnv } from '#lib/kernel/settings/env.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { type ModelScript, type OpenAIServer, startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { passTime } from '#tests/support/servers/pass-time.ts'
import { sharedReaders } from '#tests/support/servers/readers.ts'
import { acquireDatabase } from '#tests/support/servers/reusable-database.ts'

/**
 * A complete server without its pages, for one test: its own database, the real worker, and the demo model or a
 * scripted one over real HTTP. Every promise that it returns waits for an event of the log, never for an amount of
 * time.
 */
export type TestServer = {
  ctx: Ctx
  /** The pool behind `ctx`, to inspect the stored data. */
  sql: Pool
  server: RunningServer
  env: Env
  /** Returns the database's URL for other processes. After this call, no other test uses the database. */
  databaseUrl(): string
  /** The scripted model. Only a server with a script has one. */
  model: OpenAIServer
  /** Returns a context like `ctx`, as another user of this or another workspace. */
  actAs(name: string, workspaceId?: string): Ctx
  /** Adds an agent, `test` by default. It uses the demo model if the server has no script. */
  saveAgent(config: Partial<Omit<ChatAgent, 'chat'>> & { chat?: Partial<ChatAgent['chat']> }): Promise<string>
  startSession(agentId?: string): Promise<TestSession>
  /** Opens an existing session from its first event. `by` can be the context of another process. */
  reopenSession(id: string, by?: Ctx): Promise<TestSession>
  /** Stops the first server, like SIGTERM would. */
  stopServer(): Promise<void>
  /** Starts another process's server on the same database, within this process. */
  startSecondServer(settings?: Record<string, string>): Promise<{ server: RunningServer; ctx: Ctx }>
  /**
   * Moves every stored time back, so that what is due within `seconds` is due now, and starts the jobs that are
   * then due.
   */
  advanceTime(seconds: number): Promise<void>
}

/**
 * A session, with the test's position in its log. The position is the end of the log before the test's last action
 * (`send`, `answer`, `extend`, `cancel`) or the last event that the test waited for, whichever is later. `waitForEnd()`
 * therefore works before and after the action that ends the turn, regardless of the events received meanwhile.
 */
export type TestSession = {
  id: string
  /** The internal key, to inspect the stored data. */
  key: number
  events: SessionEvent[]
  /** Resolves when the event stream ends, because the session was deleted or the reader was dropped. */
  streamEnd: Promise<void>
  send(text: string, more?: Partial<SendMessage>): ReturnType<typeof sendMessage>
  /** Sends a message and waits for the terminal event of the turn. */
  runTurn(text: string, more?: Partial<SendMessage>): Promise<StatusEvent & { seq: number }>
  /** Resolves with the first event that fits, including past events. */
  waitForEvent<T extends SessionEvent>(matches: (event: SessionEvent) => event is T): Promise<T>
  waitForEvent(matches: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /** Resolves with the first event that fits after the test's position in the log. */
  waitForNextEvent(matches: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /**
   * Resolves with the terminal event of a turn. Without an ID, with the first one after the test's position in the
   * log.
   */
  waitForEnd(turnId?: string): Promise<StatusEvent & { seq: number }>
  /** Waits until the agent's text contains `words`. */
  waitForText(words: string): Promise<SessionEvent>
  /** Waits until a call of this tool is open, and returns it. */
  waitForCall(toolName: string): Promise<Call>
  /** Waits until a call is settled, and returns it in its new state. */
  waitForSettled(call: Pick<Call, 'toolCallId'>): Promise<Call>
  answer(call: Pick<Call, 'toolCallId'>, answer: Answer, by?: Ctx): ReturnType<typeof answerCall>
  extend(call: Pick<Call, 'toolCallId'>, seconds: number): ReturnType<typeof extendCall>
  cancel(calls?: boolean): ReturnType<typeof cancelTurn>
  get(): ReturnType<typeof getSession>
  log(): Promise<SessionEvent[]>
  /** Returns the text of each of the agent's messages. */
  agentTexts(): Promise<string[]>
}

type Options = {
  script?: ModelScript
  settings?: Record<string, string>
  /** Shorter waits than in production, or more concurrent jobs than a test's three. */
  timing?: Partial<Timing>
  /** An existing, seeded database, which is not dropped. By default, the server has its own. */
  database?: string
}

/** Starts a server, which stops when the test ends. */
export async function startTestServer({
  script,
  settings = {},
  timing = {},
  database
}: Options = {}): Promise<TestServer> {
  const ownDatabase = database === undefined ? await acquireDatabase() : undefined
  const url = database ?? ownDatabase?.url ?? ''
  const model = script === undefined ? undefined : await startOpenAIServer({ script })
  const env = testEnv(url, { ...modelSettings(model), ...settings })
  if (ownDatabase !== undefined) {
    const sql = ownDatabase.pools.connect(url, { max: 1, name: 'seed' })
    await seedOn(sql, env)
    await sql.end()
  }
  const readers = sharedReaders()
  const testServer = await composeServer(
    env,
    { ...testTiming, ...timing },
    { readers, ...ownDatabase?.pools }
  )
  const servers = new Set([testServer])
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    await Promise.all([...servers].map(server => server.stop()))
    await model?.[Symbol.asyncDispose]()
    await ownDatabase?.release()
  })
  const contextOf = (name: string, workspaceId = 'default') =>
    ctxFor({ kind: 'key', keyId: name, name, role: 'owner', workspaceId, outOfBand: fullTrust })
  const ctx = contextOf('Ann')
  const reopenSession = (id: string, by = ctx) => openSession(by, id, stop.signal)
  return {
    ctx,
    sql: ctx.sql as Pool,
    server: testServer,
    env,
    databaseUrl() {
      ownDatabase?.discard()
      return url
    },
    model: model as OpenAIServer,
    actAs: (name, workspaceId = 'default') => ({
      ...ctx,
      workspaceId,
      actor: { kind: 'key', keyId: name, name, role: 'owner', workspaceId, outOfBand: fullTrust }
    }),
    async saveAgent(config) {
      const agent = AgentSchema.parse({ agentId: 'test', displayName: 'Test', ...config })
      await ctx.sql`
        insert into agents (workspace_id, id, config) values ('default', ${agent.agentId}, ${agent}::jsonb)
        on conflict (workspace_id, id) do update set config = excluded.config`
      return agent.agentId
    },
    startSession: async (agentId = 'guide') =>
      reopenSession((await createSession(ctx, { agentId })).sessionId),
    reopenSession,
    async stopServer() {
      servers.delete(testServer)
      await testServer.stop()
    },
    async startSecondServer(more = {}) {
      ownDatabase?.discard()
      const env = testEnv(url, { ...modelSettings(model), ...settings, ...more })
      const server = await composeServer(env, { ...testTiming, ...timing }, { readers })
      servers.add(server)
      return { server, ctx: contextOf('Bob') }
    },
    advanceTime: seconds => passTime(ctx, seconds)
  }
}

/**
 * Few concurrent jobs: each has a connection, and opening them took a sixth of a server's start. Each looks for due jobs
 * twice as often as in a server, so that tests wait less.
 */
const testTiming: Timing = { ...defaultTiming, jobsAtOnce: 3, jobPollMs: 250 }

const modelSettings = (model: OpenAIServer | undefined): Record<string, string> =>
  model === undefined ? {} : { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' }

/** Returns the settings of a test's server, as a process would read them. */
export const testEnv = (databaseUrl: string, settings: Record<string, string>): Env => ({
  ...readEnv({
    WAYSTATION_API_KEY: 'the-admin-key-of-every-test',
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    ...settings
  }),
  databaseUrl
})

/**
 * Opens a session like a client does, on the same event stream. Resolves when the events that already exist were
 * read.
 */
export async function openSession(ctx: Ctx, id: string, signal: AbortSignal): Promise<TestSession> {
  const events: SessionEvent[] = []
  const listeners = new Set<() => void>()
  const key = await sessionKeyOf(ctx, id)
  const stream = await followSession(ctx, { sessionId: id, after: 0 }, signal)
  const streamEnd = (async () => {
    for await (const event of stream) {
      events.push(event)
      for (const listener of listeners) listener()
    }
  })()
  streamEnd.catch(() => {
    // A test that waits for the end gets the error there. For all others, the stream just stops.
  })
  /** The test's position in the log, and the number of its running actions. */
  let [position, running] = [await seqOf(ctx, key), 0]
  const waitAfter = (seq: number, matches: (event: SessionEvent) => boolean) =>
    new Promise<SessionEvent>(resolve => {
      let at = 0
      const check = () => {
        for (; at < events.length; at++) {
          const event = events[at]
          if (event === undefined || event.seq <= seq || !matches(event)) continue
          listeners.delete(check)
          position = Math.max(position, event.seq)
          return resolve(event)
        }
      }
      listeners.add(check)
      check()
    })
  const runAction = async <T>(work: () => Promise<T>): Promise<T> => {
    // Only the first of several concurrent actions moves the position: the others could read a `seq` that it has
    // already increased.
    if (running++ === 0) position = Math.max(position, await seqOf(ctx, key))
    return await work().finally(() => running--)
  }
  const isEnd = (turnId?: string) => (event: SessionEvent) =>
    event.type === 'status' &&
    event.outcome !== undefined &&
    (turnId === undefined || event.turnId === turnId)
  const isSettled = (toolCallId: string) => (event: SessionEvent) =>
    event.type === 'call' && event.call.toolCallId === toolCallId && event.call.state !== 'open'
  const session: TestSession = {
    id,
    key,
    events,
    streamEnd,
    send(text, more = {}) {
      const message = SendMessage.parse({ sessionId: id, text, ...more })
      return runAction(() => sendMessage(ctx, message))
    },
    async runTurn(text, more = {}) {
      await session.send(text, more)
      return session.waitForEnd()
    },
    waitForEvent: (matches: (event: SessionEvent) => boolean) => waitAfter(-1, matches) as never,
    waitForNextEvent: matches => waitAfter(position, matches),
    waitForEnd: turnId =>
      waitAfter(turnId === undefined ? position : -1, isEnd(turnId)) as Promise<
        StatusEvent & { seq: number }
      >,
    waitForText: expected => {
      let text = ''
      return waitAfter(-1, event => {
        if (event.type === 'chunk' && event.chunk.type === 'text-delta') text += event.chunk.delta
        return text.includes(expected)
      })
    },
    async waitForCall(toolName) {
      const event = await waitAfter(
        -1,
        event =>
          event.type === 'call' &&
          event.call.toolName === toolName &&
          event.call.state === 'open' &&
          !events.some(isSettled(event.call.toolCallId))
      )
      return (event as SessionEvent & { call: Call }).call
    },
    async waitForSettled({ toolCallId }) {
      return ((await waitAfter(-1, isSettled(toolCallId))) as SessionEvent & { call: Call }).call
    },
    answer: (call, answer, by = ctx) =>
      runAction(() => answerCall(by, { sessionId: id, toolCallId: call.toolCallId, answer })),
    extend: (call, seconds) =>
      runAction(() => extendCall(ctx, { sessionId: id, toolCallId: call.toolCallId, seconds })),
    cancel: (calls = false) => runAction(() => cancelTurn(ctx, { sessionId: id, calls })),
    get: () => getSession(ctx, { sessionId: id }),
    log: async () => (await listLog(ctx, { sessionId: id, limit: 500 })).events.reverse(),
    agentTexts: async () =>
      (await getSession(ctx, { sessionId: id })).messages
        .filter(message => message.role === 'assistant')
        .map(textOf)
  }
  // If the session has events, wait for them: the stream can start with a snapshot, which would contain later
  // events too.
  const [last] = await ctx.sql<{ seq: number }[]>`
    select h.seq from heads h join sessions s on s.key = h.session_key
    where h.session_key = ${key} and h.seq > s.floor`
  if (last !== undefined) await waitAfter(-1, event => event.seq >= last.seq)
  return session
}

async function seqOf(ctx: Ctx, key: number): Promise<number> {
  const [row] = await ctx.sql<{ seq: number }[]>`select seq from heads where session_key = ${key}`
  return row?.seq ?? 0
}
