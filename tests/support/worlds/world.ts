import { AgentConfig as AgentSchema, type ChatAgent } from '@waystation/protocol/agent/agent.ts'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { SessionEvent, StatusEvent } from '@waystation/protocol/session/event.ts'
import { textOf } from '@waystation/protocol/session/message.ts'
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
import { takeDatabase } from '#tests/support/worlds/kept-database.ts'
import { passTime } from '#tests/support/worlds/pass-time.ts'
import { sharedReaders } from '#tests/support/worlds/readers.ts'

/**
 * A complete Waystation without its pages, for one test: its own database, the real worker, and the demo model or a
 * scripted one over real HTTP. Every promise that it returns waits for an event of the log, never for an amount of
 * time.
 */
export type TestWorld = {
  ctx: Ctx
  /** The pool behind `ctx`, to inspect the stored data. */
  sql: Pool
  world: RunningServer
  env: Env
  /** Returns the database's URL for other processes. After this call, no other test uses the database. */
  databaseUrl(): string
  /** The scripted model. Only a world with a script has one. */
  model: OpenAIServer
  /** Returns a context like `ctx`, as another user of this or another workspace. */
  as(name: string, workspaceId?: string): Ctx
  /** Adds an agent, `test` by default. It uses the demo model if the world has no script. */
  agent(config: Partial<Omit<ChatAgent, 'chat'>> & { chat?: Partial<ChatAgent['chat']> }): Promise<string>
  session(agentId?: string): Promise<TestSession>
  /** Opens an existing session from its first event. `by` can be the context of another process. */
  reopen(id: string, by?: Ctx): Promise<TestSession>
  /** Stops the first server, like SIGTERM would. */
  leave(): Promise<void>
  /** Starts another process's server on the same database, within this process. */
  second(settings?: Record<string, string>): Promise<{ world: RunningServer; ctx: Ctx }>
  /**
   * Moves every stored time back, so that what is due within `seconds` is due now, and starts the jobs that are
   * then due.
   */
  pass(seconds: number): Promise<void>
}

/**
 * A session, with the test's position in its log. The position is the end of the log before the test's last action
 * (`send`, `answer`, `extend`, `cancel`) or the last event that the test waited for, whichever is later. `ends()`
 * therefore works before and after the action that ends the turn, regardless of the events received meanwhile.
 */
export type TestSession = {
  id: string
  /** The internal key, to inspect the stored data. */
  key: number
  events: SessionEvent[]
  /** Resolves when the event stream ends, because the session was deleted or the reader was dropped. */
  over: Promise<void>
  send(text: string, more?: Partial<SendMessage>): ReturnType<typeof sendMessage>
  /** Sends a message and waits for the terminal event of the turn. */
  says(text: string, more?: Partial<SendMessage>): Promise<StatusEvent & { seq: number }>
  /** Resolves with the first event that fits, including past events. */
  sees<T extends SessionEvent>(fits: (event: SessionEvent) => event is T): Promise<T>
  sees(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /** Resolves with the first event that fits after the test's position in the log. */
  next(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /**
   * Resolves with the terminal event of a turn. Without an ID, with the first one after the test's position in the
   * log.
   */
  ends(turnId?: string): Promise<StatusEvent & { seq: number }>
  /** Waits until the agent's text contains `words`. */
  reads(words: string): Promise<SessionEvent>
  /** Waits until a call of this tool is open, and returns it. */
  waitsFor(toolName: string): Promise<Call>
  /** Waits until a call is settled, and returns it in its new state. */
  settles(call: Pick<Call, 'toolCallId'>): Promise<Call>
  answer(call: Pick<Call, 'toolCallId'>, answer: Answer, by?: Ctx): ReturnType<typeof answerCall>
  extend(call: Pick<Call, 'toolCallId'>, seconds: number): ReturnType<typeof extendCall>
  cancel(calls?: boolean): ReturnType<typeof cancelTurn>
  get(): ReturnType<typeof getSession>
  log(): Promise<SessionEvent[]>
  /** Returns the text of each of the agent's messages. */
  said(): Promise<string[]>
}

type Options = {
  script?: ModelScript
  settings?: Record<string, string>
  /** Shorter waits than in production, or more concurrent jobs than a test's three. */
  pace?: Partial<Timing>
  /** An existing, seeded database, which is not dropped. By default, the world has its own. */
  database?: string
}

/** Starts a world, which stops when the test ends. */
export async function testWorld({
  script,
  settings = {},
  pace = {},
  database
}: Options = {}): Promise<TestWorld> {
  const ownDatabase = database === undefined ? await takeDatabase() : undefined
  const url = database ?? ownDatabase?.url ?? ''
  const model = script === undefined ? undefined : await startOpenAIServer({ script })
  const env = testEnv(url, { ...modelSettings(model), ...settings })
  if (ownDatabase !== undefined) {
    const sql = ownDatabase.pools.connect(url, { max: 1, name: 'seed' })
    await seedOn(sql, env)
    await sql.end()
  }
  const readers = sharedReaders()
  const world = await composeServer(env, { ...testPace, ...pace }, { readers, ...ownDatabase?.pools })
  const worlds = new Set([world])
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    await Promise.all([...worlds].map(world => world.stop()))
    await model?.[Symbol.asyncDispose]()
    await ownDatabase?.giveBack()
  })
  const contextOf = (name: string, workspaceId = 'default') =>
    ctxFor({ kind: 'key', keyId: name, name, role: 'owner', workspaceId })
  const ctx = contextOf('Ann')
  const reopen = (id: string, by = ctx) => openSession(by, id, stop.signal)
  return {
    ctx,
    sql: ctx.sql as Pool,
    world,
    env,
    databaseUrl() {
      ownDatabase?.spoil()
      return url
    },
    model: model as OpenAIServer,
    as: (name, workspaceId = 'default') => ({
      ...ctx,
      workspaceId,
      actor: { kind: 'key', keyId: name, name, role: 'owner', workspaceId }
    }),
    async agent(config) {
      const agent = AgentSchema.parse({ agentId: 'test', displayName: 'Test', ...config })
      await ctx.sql`
        insert into agents (workspace_id, id, config) values ('default', ${agent.agentId}, ${agent}::jsonb)
        on conflict (workspace_id, id) do update set config = excluded.config`
      return agent.agentId
    },
    session: async (agentId = 'guide') => reopen((await createSession(ctx, { agentId })).sessionId),
    reopen,
    async leave() {
      worlds.delete(world)
      await world.stop()
    },
    async second(more = {}) {
      ownDatabase?.spoil()
      const env = testEnv(url, { ...modelSettings(model), ...settings, ...more })
      const server = await composeServer(env, { ...testPace, ...pace }, { readers })
      worlds.add(server)
      return { world: server, ctx: contextOf('Bob') }
    },
    pass: seconds => passTime(ctx, seconds)
  }
}

/**
 * Few concurrent jobs: each has a connection, and opening them took a sixth of a world's start. Each looks for due jobs
 * twice as often as in a server, so that tests wait less.
 */
const testPace: Timing = { ...defaultTiming, jobsAtOnce: 3, jobPollMs: 250 }

const modelSettings = (model: OpenAIServer | undefined): Record<string, string> =>
  model === undefined ? {} : { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' }

/** Returns the settings of a test's world, as a process would read them. */
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
  const seesAfter = (seq: number, fits: (event: SessionEvent) => boolean) =>
    new Promise<SessionEvent>(resolve => {
      let at = 0
      const check = () => {
        for (; at < events.length; at++) {
          const event = events[at]
          if (event === undefined || event.seq <= seq || !fits(event)) continue
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
    over: streamEnd,
    send(text, more = {}) {
      const message = SendMessage.parse({ sessionId: id, text, ...more })
      return runAction(() => sendMessage(ctx, message))
    },
    async says(text, more = {}) {
      await session.send(text, more)
      return session.ends()
    },
    sees: (fits: (event: SessionEvent) => boolean) => seesAfter(-1, fits) as never,
    next: fits => seesAfter(position, fits),
    ends: turnId =>
      seesAfter(turnId === undefined ? position : -1, isEnd(turnId)) as Promise<
        StatusEvent & { seq: number }
      >,
    reads: expected => {
      let text = ''
      return seesAfter(-1, event => {
        if (event.type === 'chunk' && event.chunk.type === 'text-delta') text += event.chunk.delta
        return text.includes(expected)
      })
    },
    async waitsFor(toolName) {
      const event = await seesAfter(
        -1,
        event =>
          event.type === 'call' &&
          event.call.toolName === toolName &&
          event.call.state === 'open' &&
          !events.some(isSettled(event.call.toolCallId))
      )
      return (event as SessionEvent & { call: Call }).call
    },
    async settles({ toolCallId }) {
      return ((await seesAfter(-1, isSettled(toolCallId))) as SessionEvent & { call: Call }).call
    },
    answer: (call, answer, by = ctx) =>
      runAction(() => answerCall(by, { sessionId: id, toolCallId: call.toolCallId, answer })),
    extend: (call, seconds) =>
      runAction(() => extendCall(ctx, { sessionId: id, toolCallId: call.toolCallId, seconds })),
    cancel: (calls = false) => runAction(() => cancelTurn(ctx, { sessionId: id, calls })),
    get: () => getSession(ctx, { sessionId: id }),
    log: async () => (await listLog(ctx, { sessionId: id, limit: 500 })).events.reverse(),
    said: async () =>
      (await getSession(ctx, { sessionId: id })).messages
        .filter(message => message.role === 'assistant')
        .map(textOf)
  }
  // If the session has events, wait for them: the stream can start with a snapshot, which would contain later
  // events too.
  const [last] = await ctx.sql<{ seq: number }[]>`
    select h.seq from heads h join sessions s on s.key = h.session_key
    where h.session_key = ${key} and h.seq > s.floor`
  if (last !== undefined) await seesAfter(-1, event => event.seq >= last.seq)
  return session
}

async function seqOf(ctx: Ctx, key: number): Promise<number> {
  const [row] = await ctx.sql<{ seq: number }[]>`select seq from heads where session_key = ${key}`
  return row?.seq ?? 0
}
