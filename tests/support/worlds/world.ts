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
import { AgentConfig as AgentSchema, type ChatAgent } from '#lib/protocol/agent/agent.ts'
import type { Answer, Call } from '#lib/protocol/call/call.ts'
import type { SessionEvent, StatusEvent } from '#lib/protocol/session/event.ts'
import { textOf } from '#lib/protocol/session/message.ts'
import { SendMessage } from '#lib/protocol/session/session.ts'
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
 * A whole Waystation without its pages, for one test: a database of its own, the real worker, the demo model or a
 * scripted one behind real HTTP. Every promise it hands out waits for an event of the log, never for time.
 */
export type TestWorld = {
  ctx: Ctx
  /** The pool behind `ctx`, for a look at what is stored. */
  sql: Pool
  world: RunningServer
  env: Env
  /** The database's address, for other processes. A database whose address somebody knows is used for this test only. */
  databaseUrl(): string
  /** What answers by the script; only a world with a script has one. */
  model: OpenAIServer
  /** The same, as somebody else of the workspace (or of another one). */
  as(name: string, workspaceId?: string): Ctx
  /** Adds an agent, `test` unless it says otherwise (the demo model when the world has no script). */
  agent(config: Partial<Omit<ChatAgent, 'chat'>> & { chat?: Partial<ChatAgent['chat']> }): Promise<string>
  session(agentId?: string): Promise<TestSession>
  /** A session that is there already, seen from its beginning; `by` another process's context, for instance. */
  reopen(id: string, by?: Ctx): Promise<TestSession>
  /** Stops the (first) world, as SIGTERM would. */
  leave(): Promise<void>
  /** Another process's world on the same database, in this process. */
  second(settings?: Record<string, string>): Promise<{ world: RunningServer; ctx: Ctx }>
  /** Moves every stored time back, so that what was due in `seconds` is due now; and rings the clock's jobs. */
  pass(seconds: number): Promise<void>
}

/**
 * A session and the test's place in its log. The place is the head of the log before the test's last act (`send`,
 * `answer`, `extend`, `cancel`), or the last event that the test waited for, whichever is later. So `ends()` works both
 * before and after the act that ends the turn: what the reader has received meanwhile does not matter.
 */
export type TestSession = {
  id: string
  /** The internal key, for a look at what is stored. */
  key: number
  events: SessionEvent[]
  /** Resolves when the stream of events is over (the session was deleted, the reader was dropped). */
  over: Promise<void>
  send(text: string, more?: Partial<SendMessage>): ReturnType<typeof sendMessage>
  /** Sends and waits for the turn's terminal event. */
  says(text: string, more?: Partial<SendMessage>): Promise<StatusEvent & { seq: number }>
  /** The first event that fits, among those seen and those to come. */
  sees<T extends SessionEvent>(fits: (event: SessionEvent) => event is T): Promise<T>
  sees(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /** The first event that fits after the test's place in the log. */
  next(fits: (event: SessionEvent) => boolean): Promise<SessionEvent>
  /** The terminal event of a turn (without an ID: the first one after the test's place in the log). */
  ends(turnId?: string): Promise<StatusEvent & { seq: number }>
  /** Waits until a text of the agent has these words in it. */
  reads(words: string): Promise<SessionEvent>
  /** Waits until a call of this tool is open, and gives it. */
  waitsFor(toolName: string): Promise<Call>
  /** Waits until a call is settled, and gives it as it is then. */
  settles(call: Pick<Call, 'toolCallId'>): Promise<Call>
  answer(call: Pick<Call, 'toolCallId'>, answer: Answer, by?: Ctx): ReturnType<typeof answerCall>
  extend(call: Pick<Call, 'toolCallId'>, seconds: number): ReturnType<typeof extendCall>
  cancel(calls?: boolean): ReturnType<typeof cancelTurn>
  get(): ReturnType<typeof getSession>
  log(): Promise<SessionEvent[]>
  /** What the agent said, message by message. */
  said(): Promise<string[]>
}

type Options = {
  script?: ModelScript
  settings?: Record<string, string>
  /** Shorter waits than those of production, or more jobs at once than the three of a test. */
  pace?: Partial<Timing>
  /** A database that is there already, seeded, and is not dropped; its own otherwise. */
  database?: string
}

export async function testWorld({
  script,
  settings = {},
  pace = {},
  database
}: Options = {}): Promise<TestWorld> {
  const own = database === undefined ? await takeDatabase() : undefined
  const url = database ?? own?.url ?? ''
  const model = script === undefined ? undefined : await startOpenAIServer({ script })
  const env = testEnv(url, { ...modelSettings(model), ...settings })
  if (own !== undefined) {
    const sql = own.pools.connect(url, { max: 1, name: 'seed' })
    await seedOn(sql, env)
    await sql.end()
  }
  const readers = sharedReaders()
  const world = await composeServer(env, { ...testPace, ...pace }, { readers, ...own?.pools })
  const worlds = new Set([world])
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    await Promise.all([...worlds].map(one => one.stop()))
    await model?.[Symbol.asyncDispose]()
    await own?.giveBack()
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
      own?.spoil()
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
      own?.spoil()
      const anotherEnv = testEnv(url, { ...modelSettings(model), ...settings, ...more })
      const another = await composeServer(anotherEnv, { ...testPace, ...pace }, { readers })
      worlds.add(another)
      return { world: another, ctx: contextOf('Bob') }
    },
    pass: seconds => passTime(ctx, seconds)
  }
}

/** Few jobs at once: each has a connection, and opening them was a sixth of what a world costs. Servers have the default. */
const testPace: Timing = { ...defaultTiming, jobsAtOnce: 3 }

const modelSettings = (model: OpenAIServer | undefined): Record<string, string> =>
  model === undefined ? {} : { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' }

/** The settings of a test's world, as a process would read them. */
export const testEnv = (databaseUrl: string, settings: Record<string, string>): Env => ({
  ...readEnv({
    WAYSTATION_API_KEY: 'the-admin-key-of-every-test',
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    ...settings
  }),
  databaseUrl
})

/** A session as a client sees it: over the same event stream, read up to where it is when this resolves. */
export async function openSession(ctx: Ctx, id: string, signal: AbortSignal): Promise<TestSession> {
  const events: SessionEvent[] = []
  const listeners = new Set<() => void>()
  const key = await sessionKeyOf(ctx, id)
  const stream = await followSession(ctx, { sessionId: id, after: 0 }, signal)
  const over = (async () => {
    for await (const event of stream) {
      events.push(event)
      for (const listener of listeners) listener()
    }
  })()
  over.catch(() => {
    // A test that waits for the end hears of it there; to the others the stream just stopped.
  })
  /** The test's place in the log, and how many of its acts are under way. */
  let [place, acts] = [await headOf(ctx, key), 0]
  const seesAfter = (seq: number, fits: (event: SessionEvent) => boolean) =>
    new Promise<SessionEvent>(resolve => {
      let at = 0
      const look = () => {
        for (; at < events.length; at++) {
          const event = events[at]
          if (event === undefined || event.seq <= seq || !fits(event)) continue
          listeners.delete(look)
          place = Math.max(place, event.seq)
          return resolve(event)
        }
      }
      listeners.add(look)
      look()
    })
  const act = async <T>(work: () => Promise<T>): Promise<T> => {
    // Of acts at the same time only the first moves the place: the others may read a head that it moved already.
    if (acts++ === 0) place = Math.max(place, await headOf(ctx, key))
    return await work().finally(() => acts--)
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
    over,
    send(text, more = {}) {
      const message = SendMessage.parse({ sessionId: id, text, ...more })
      return act(() => sendMessage(ctx, message))
    },
    async says(text, more = {}) {
      await session.send(text, more)
      return session.ends()
    },
    sees: (fits: (event: SessionEvent) => boolean) => seesAfter(-1, fits) as never,
    next: fits => seesAfter(place, fits),
    ends: turnId =>
      seesAfter(turnId === undefined ? place : -1, isEnd(turnId)) as Promise<StatusEvent & { seq: number }>,
    reads: words => {
      let text = ''
      return seesAfter(-1, event => {
        if (event.type === 'chunk' && event.chunk.type === 'text-delta') text += event.chunk.delta
        return text.includes(words)
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
      act(() => answerCall(by, { sessionId: id, toolCallId: call.toolCallId, answer })),
    extend: (call, seconds) =>
      act(() => extendCall(ctx, { sessionId: id, toolCallId: call.toolCallId, seconds })),
    cancel: (calls = false) => act(() => cancelTurn(ctx, { sessionId: id, calls })),
    get: () => getSession(ctx, { sessionId: id }),
    log: async () => (await listLog(ctx, { sessionId: id, limit: 500 })).events.reverse(),
    said: async () =>
      (await getSession(ctx, { sessionId: id })).messages
        .filter(message => message.role === 'assistant')
        .map(textOf)
  }
  // Of a life that has said anything: its reader may begin with a snapshot, which would swallow what comes meanwhile.
  const [head] = await ctx.sql<{ seq: number }[]>`
    select h.seq from heads h join sessions s on s.key = h.session_key
    where h.session_key = ${key} and h.seq > s.floor`
  if (head !== undefined) await seesAfter(-1, event => event.seq >= head.seq)
  return session
}

async function headOf(ctx: Ctx, key: number): Promise<number> {
  const [head] = await ctx.sql<{ seq: number }[]>`select seq from heads where session_key = ${key}`
  return head?.seq ?? 0
}
