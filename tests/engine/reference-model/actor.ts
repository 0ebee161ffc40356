import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { compactMessages } from '#lib/engine/context/compact-messages.ts'
import { reap } from '#lib/engine/worker/lease.ts'
import { expireLateOob } from '#lib/features/out-of-band/expire.ts'
import type { Call as WireCall } from '#lib/protocol/call/call.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { type Transcript, transcriptOf } from '#lib/protocol/session/fold.ts'
import { type Message, textOf } from '#lib/protocol/session/message.ts'
import { calls, fails, says } from '#tests/support/fakes/openai-replies.ts'
import type { Command, Made } from './commands.ts'
import { startReader } from './reader.ts'
import { type Call, Reference } from './reference.ts'
import { key, type Stage, unheard } from './stage.ts'

type View = {
  session: { status: string }
  messages: Message[]
  calls: WireCall[]
  turnId?: string
}

/** How long what must happen may take, in milliseconds, on a machine that does other things too. */
const patience = 20_000

/** One session of a schedule: what it is by the reference, and the real one. */
export async function openActor(stage: Stage, name: string) {
  const reference = new Reference()
  const { sql } = stage
  const path = `/sessions/${name}`
  const made = await stage.ask('POST', '/plugins/sessions/operations/create', {
    agentId: 'test',
    sessionId: name
  })
  expect(made.status).toBe(201)
  const [head] = await sql<{ key: number }[]>`select key from sessions where id = ${name}`
  const sessionKey = head?.key ?? 0
  const reader = startReader(`${stage.url}/api${path}/events`, key)
  const counted = new Map<string, number>()
  /** A name for what is said next: `s1-m3`. */
  const next = (what: string) => {
    counted.set(what, (counted.get(what) ?? 0) + 1)
    return `${name}-${what}${counted.get(what)}`
  }
  /** The IDs of what was accepted, by name. */
  const ids = new Map<string, string>()
  const sends: { name: string; body: object; receipt: unknown }[] = []
  let answered: { path: string; body: object; receipt: unknown } | undefined
  const given = new Map<Call, object>()
  let replied = 0

  const answerable = () => reference.calls.filter(({ made }) => made !== 'unknown' && made !== 'confirm')
  const pickOf = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(all.length, 1)]
  const rowOf = async (call: Call) => {
    const rows = await sql<{ id: string }[]>`
      select tool_call_id as id from calls where session_key = ${sessionKey} and input::text like ${`%${call.name}"%`}`
    return rows[0]?.id ?? ''
  }
  const ends = async (call: Call) => {
    const id = await rowOf(call)
    await sql`
      update calls set since = since - (deadline - clock_timestamp()), deadline = clock_timestamp()
      where session_key = ${sessionKey} and tool_call_id = ${id}`
    return id
  }

  async function act(command: Command): Promise<void> {
    switch (command.do) {
      case 'send': {
        const text = next('m')
        const body = { text, key: text, whenBusy: command.mode }
        const { status, body: receipt } = await stage.ask('POST', `${path}/messages`, body)
        expect(status).toBe(reference.send(text, command.mode))
        if (status === 202) sends.push({ name: text, body, receipt })
        ids.set(text, String(receipt.itemId))
        return
      }
      case 'send again': {
        const last = sends.at(-1)
        if (last === undefined) return
        const again = await stage.ask('POST', `${path}/messages`, last.body)
        expect(again).toEqual({ status: 202, body: last.receipt })
        return
      }
      case 'take back': {
        const sent = pickOf(sends, command.pick)
        if (sent === undefined) return
        const { status } = await stage.ask('DELETE', `${path}/messages/${ids.get(sent.name)}`)
        expect(status).toBe(reference.takeBack(sent.name))
        return
      }
      case 'model says':
        return modelSays(command.calls)
      case 'model fails': {
        const thought = stage.thoughts(name).at(-1)
        if (thought === undefined || !reference.turn?.asked) return
        thought.reply(command.passes ? fails(503, { headers: { 'retry-after': '3000' } }) : fails(401))
        return reference.modelFails(command.passes)
      }
      case 'retry now': {
        const { status } = await stage.ask('POST', `${path}/retry`, {})
        expect(status).toBe(reference.retry())
        return
      }
      case 'retry comes':
        if (!reference.turn?.retrying) return
        await sql`update turns set retry_at = clock_timestamp() where session_key = ${sessionKey} and retry_at is not null`
        await hurry('retry')
        return reference.retryComes()
      case 'answer': {
        const call = pickOf(answerable(), command.pick)
        if (call === undefined) return
        const { body, state, result } = answerTo(call, command.no)
        const where = `${path}/calls/${await rowOf(call)}/answer`
        const { status, body: receipt } = await stage.ask('POST', where, body)
        // The same answer again is no second one.
        const again = isDeepStrictEqual(given.get(call), body)
        expect(status).toBe(again ? 200 : reference.settleCall(call, state, result))
        if (status !== 200) return
        given.set(call, body)
        answered = { path: where, body, receipt }
        return
      }
      case 'answer again': {
        if (answered === undefined) return
        const { path: where, body, receipt } = answered
        expect(await stage.ask('POST', where, body)).toMatchObject({ status: 200, body: receipt })
        return
      }
      case 'extend': {
        const call = pickOf(answerable(), command.pick)
        if (call === undefined) return
        const where = `${path}/calls/${await rowOf(call)}/extend`
        const { status } = await stage.ask('POST', where, { seconds: command.seconds })
        expect(status).toBe(call.state === 'open' ? 200 : 409)
        return
      }
      case 'deadline': {
        const call = pickOf(
          answerable().filter(({ state }) => state === 'open'),
          command.pick
        )
        if (call === undefined) return
        const id = await ends(call)
        await hurry('deadline', `deadline:${sessionKey}:${id}`)
        reference.settleCall(call, 'expired', 'expired')
        return
      }
      case 'answer too late': {
        const call = pickOf(
          answerable().filter(({ state }) => state === 'open'),
          command.pick
        )
        if (call === undefined) return
        const id = await ends(call)
        const { body } = answerTo(call, false)
        expect(await stage.ask('POST', `${path}/calls/${id}/answer`, body)).toMatchObject({
          status: 409,
          body: { code: 'ALREADY_SETTLED', winner: { state: 'expired' } }
        })
        reference.settleCall(call, 'expired', 'expired')
        return
      }
      case 'cancel call': {
        const call = pickOf(answerable(), command.pick)
        if (call === undefined) return
        const again = call.state === 'cancelled'
        const { status } = await stage.ask('POST', `${path}/calls/${await rowOf(call)}/cancel`, {})
        expect(status).toBe(again ? 200 : reference.settleCall(call, 'cancelled', 'cancelled'))
        return
      }
      case 'cancel': {
        const open = command.calls
          ? await sql<{ input: string }[]>`
              select input::text from calls where session_key = ${sessionKey} and state = 'open' and kind <> 'server'
              order by tool_call_id`
          : []
        const { status } = await stage.ask('POST', `${path}/cancel`, { calls: command.calls })
        expect(status).toBe(200)
        const named = open.map(({ input }) => reference.calls.find(call => input.includes(`${call.name}"`)))
        return reference.cancel(named.filter(call => call !== undefined))
      }
      case 'out of band': {
        const content = next('o')
        const { status, body } = await stage.ask('POST', `${path}/oob`, {
          content,
          source: 'user',
          priority: command.priority,
          ...(command.abort ? { metadata: { action: 'abort' } } : {})
        })
        expect(status).toBe(202)
        ids.set(content, String(body.id))
        return reference.outOfBand(content, command.priority, command.abort)
      }
      case 'take oob back': {
        const oob = pickOf([...reference.oobs.keys()], command.pick)
        if (oob === undefined) return
        const { status } = await stage.ask('DELETE', `${path}/oob/${ids.get(oob)}`)
        expect(status).toBe(reference.oobGoes(oob, 'cancelled'))
        return
      }
      case 'oob expires':
        await sql`
          update out_of_band set expires_at = clock_timestamp() where session_key = ${sessionKey} and status = 'visible'`
        await expireLateOob(stage.ctx())
        for (const [oob, status] of reference.oobs)
          if (status === 'visible') reference.oobGoes(oob, 'expired')
        return
      case 'delete and revive':
        await stage.ask('POST', '/plugins/sessions/operations/delete', { sessionId: name })
        expect(
          await stage.ask('POST', '/plugins/sessions/operations/create', { agentId: 'test', sessionId: name })
        ).toMatchObject({ status: 201, body: { result: { created: true } } })
        sends.length = 0
        answered = undefined
        return reference.forget()
      case 'reader leaves':
        return reader.leave()
      case 'reader comes back':
        return reader.comeBack()
      case 'compact':
        await sql`
          update messages set done_at = done_at - interval '11 minutes' where session_key = ${sessionKey} and done_at is not null`
        reader.expectGaps()
        return compactMessages(stage.ctx())
      case 'owner dies':
      case 'deploy':
        throw new Error(`"${command.do}" is for the processes.`)
    }
  }

  function modelSays(kinds: readonly Made[]): void {
    const thought = stage.thoughts(name).at(-1)
    if (thought === undefined || !reference.turn?.asked) return
    const told = thought.lines.findLast(line => line.startsWith('oob '))?.slice('oob '.length)
    const wanted = kinds.map(made => {
      const confirms = made === 'confirm' ? told : undefined
      return { name: next('c'), made: made === 'confirm' && told === undefined ? 'unknown' : made, confirms }
    })
    const text = next('r')
    // Whoever asked before and is answered only now is nobody any more.
    for (const old of stage.thoughts(name).slice(replied, -1)) old.reply(unheard)
    replied = stage.thoughts(name).length
    const tools = wanted.map(({ name: call, made, confirms }) => toolOf(call, made, confirms))
    thought.reply(tools.length === 0 ? says(text) : ({ ...calls(...tools), text } as never))
    reference.modelSays(text, wanted)
  }

  function toolOf(call: string, made: Made, confirms: string | undefined) {
    switch (made) {
      case 'question':
        return { name: 'ask-question', input: { question: call } }
      case 'approval':
        return { name: 'web-fetch', input: { url: `${stage.outside}/${call}` } }
      case 'external':
        return { name: 'dispatch', input: { what: call } }
      case 'unknown':
        return { name: 'nothing', input: { what: call } }
      case 'confirm':
        return { name: 'acknowledge_out_of_band', input: { id: ids.get(confirms ?? ''), effect: call } }
    }
  }

  function answerTo({ made }: Call, no: boolean) {
    if (made === 'approval')
      return no
        ? { body: { approved: false }, state: 'denied', result: 'declined' }
        : { body: { approved: true }, state: 'approved', result: null }
    if (no) return { body: { declined: true }, state: 'declined', result: 'declined' }
    const words = next('a')
    const output = made === 'question' ? { answer: words } : { done: words }
    return { body: { output }, state: 'answered', result: words }
  }

  /** What is due is rung for at once. */
  async function hurry(job: string, jobKey?: string): Promise<void> {
    await sql`
      update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${job} and run_at > now() and (${jobKey ?? null}::text is null or key = ${jobKey ?? null})`
    await sql`select pg_notify('jobs:insert', '{"count":1}')`
  }

  /** Its worker is declared dead, as one that did not beat: it goes on elsewhere. The sessions that it had. */
  async function killOwner(): Promise<number[]> {
    const [owned] = await sql<
      { owner: string | null }[]
    >`select owner from heads where session_key = ${sessionKey}`
    if (owned?.owner == null) return []
    const freed = await sql<
      { key: number }[]
    >`select session_key as key from heads where owner = ${owned.owner}`
    await sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where id = ${owned.owner}`
    await reap(sql)
    // Those that died twice are rung for some seconds later.
    await hurry('wake')
    return freed.map(({ key }) => key)
  }

  const wanted = () => ({
    prompts: reference.prompts,
    status: reference.status,
    rests: reference.turn?.asked !== true,
    live: reference.turn !== undefined,
    queued: reference.messages.map(message => message.name),
    calls: Object.fromEntries(reference.calls.map(seen)),
    oobs: Object.fromEntries([...reference.oobs].sort()),
    said: reference.said()
  })

  async function found(): Promise<ReturnType<typeof wanted>> {
    const [view, oobs, [head]] = await Promise.all([
      stage.ask('GET', path).then(({ body }) => body as unknown as View),
      stage.ask('GET', `${path}/oob`).then(({ body }) => body.messages as OutOfBand[]),
      sql<{ rests: boolean }[]>`
        select owner is null and has_work = 0 as rests from heads where session_key = ${sessionKey}`
    ])
    return {
      prompts: stage.thoughts(name).map(({ lines }) => lines),
      status: view.session.status,
      rests: head?.rests ?? false,
      live: view.turnId !== undefined,
      queued: view.messages.filter(({ metadata }) => metadata?.queued !== undefined).map(textOf),
      calls: Object.fromEntries(view.calls.map(call => seen(asReference(call)))),
      oobs: Object.fromEntries(oobs.map(({ content, status }) => [content, status] as const).sort()),
      said: view.messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ parts }) => parts.flatMap(part => (part.type === 'text' ? [part.text] : [])))
    }
  }

  /** Resolves when the real session is what the reference is; rejects as soon as it can be no more, or when it takes too long. */
  async function agree(): Promise<void> {
    const want = wanted()
    const late = Date.now() + patience
    for (;;) {
      const is = await found()
      if (isDeepStrictEqual(is, want)) return
      if (Date.now() > late || hasStrayed(is.prompts, want.prompts)) return expect(is).toEqual(want)
      await pause(5)
    }
  }

  /** What a reader was told, all along, is what a snapshot says now. */
  async function readersAgree(): Promise<void> {
    reader.comeBack()
    const late = Date.now() + patience
    for (;;) {
      const { session: _, ...now } = (await stage.ask('GET', path)).body
      const [wanted, is] = [transcriptOf(now as never), reader.transcript()]
      // Who saw nothing before its session lived again stays at 0, from where everything can be read.
      const unread =
        is.cursor === 0 && (await sql`select from events where session_key = ${sessionKey}`).length === 0
      if (wanted.cursor === is.cursor || unread || Date.now() > late) {
        expect(shown(is)).toEqual({ ...shown(wanted), ...(unread ? { cursor: 0 } : {}) })
        break
      }
      await pause(5)
    }
    expect(reader.faults).toEqual([])
  }

  return { name, sessionKey, reference, act, killOwner, agree, readersAgree, stop: () => reader.stop() }
}
export type Actor = Awaited<ReturnType<typeof openActor>>

/** A prompt that was asked with is asked with for good. */
const hasStrayed = (is: readonly string[][], want: readonly string[][]): boolean =>
  is.some((lines, n) => !isDeepStrictEqual(lines, want[n]))

/** A call as both sides show it: what the model is told of it stands in the prompts. */
const seen = ({ name, state, result }: Pick<Call, 'name' | 'state' | 'result'>) =>
  [name, result === null ? `${state}, not over` : state] as const

const asReference = ({ input, state, ranAt }: WireCall) => ({
  name: /s\d+-c\d+/.exec(JSON.stringify(input))?.[0] ?? '?',
  state,
  result: state === 'open' || (state === 'approved' && ranAt === undefined) ? null : 'over'
})

/** What people see, without what a live fold keeps for itself. */
const shown = ({
  messages,
  calls,
  outOfBand,
  status,
  turnId,
  title,
  error,
  retryAt,
  cursor
}: Transcript) => ({
  ...{ calls, status, turnId, title, error, retryAt, cursor },
  // A snapshot tells of those that wait, and of those that its messages tell of.
  outOfBand: Object.values(outOfBand)
    .filter(({ status, messageId }) => messageId !== undefined || status === 'visible' || status === 'held')
    .sort((a, b) => a.id.localeCompare(b.id)),
  // When it was begun is the moment of its first event here, and of its transaction there.
  messages: messages.map(({ message: { metadata, ...message } }) => ({
    ...message,
    metadata: { ...metadata, createdAt: '' }
  }))
})
