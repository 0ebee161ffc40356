import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Call as WireCall } from '@waystation/protocol/call/call.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect } from 'vitest'
import { reap } from '#lib/engine/worker/lease.ts'
import { compactMessages } from '#lib/features/data/compact-messages.ts'
import { expireOverdueOob } from '#lib/features/out-of-band/expire.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { CallOrigin, Command } from './commands.ts'
import { startReader } from './reader.ts'
import { type Call, Reference } from './reference.ts'
import { key, lateReply, type TestSystem } from './test-system.ts'

type View = {
  session: { status: string }
  messages: Message[]
  calls: WireCall[]
  turnId?: string
}

/** The time limit for an expected state, in milliseconds, on a busy machine. */
const timeoutMs = 20_000

/**
 * Creates one session of a schedule, together with its reference, and returns functions to act on and compare
 * both.
 */
export async function openActor(system: TestSystem, name: string) {
  const reference = new Reference()
  const { sql } = system
  const path = `/sessions/${name}`
  const created = await system.request('POST', '/plugins/sessions/operations/create', {
    agentId: 'test',
    sessionId: name
  })
  expect(created.status).toBe(201)
  const [sessionRow] = await sql<{ key: number }[]>`select key from sessions where id = ${name}`
  const sessionKey = sessionRow?.key ?? 0
  const reader = startReader(`${system.url}/api${path}/events`, key)
  const counters = new Map<string, number>()
  /** Returns a unique name for the next text: `s1-m3`. */
  const nextName = (prefix: string) => {
    counters.set(prefix, (counters.get(prefix) ?? 0) + 1)
    return `${name}-${prefix}${counters.get(prefix)}`
  }
  /** The IDs of accepted messages, by name. */
  const ids = new Map<string, string>()
  const sends: { name: string; body: object; receipt: unknown }[] = []
  let lastAnswer: { path: string; body: object; receipt: unknown } | undefined
  const answersByCall = new Map<Call, object>()
  let repliedCount = 0

  const answerable = () => reference.calls.filter(({ made }) => made !== 'unknown' && made !== 'confirm')
  const pickFrom = <T>(candidates: readonly T[], index: number): T | undefined =>
    candidates[index % Math.max(candidates.length, 1)]
  const callIdOf = async (call: Call) => {
    const rows = await sql<{ id: string }[]>`
      select tool_call_id as id from calls where session_key = ${sessionKey} and input::text like ${`%${call.name}"%`}`
    return rows[0]?.id ?? ''
  }
  const makeDue = async (call: Call) => {
    const id = await callIdOf(call)
    await sql`
      update calls set since = since - (deadline - clock_timestamp()), deadline = clock_timestamp()
      where session_key = ${sessionKey} and tool_call_id = ${id}`
    return id
  }

  async function act(command: Command): Promise<void> {
    switch (command.do) {
      case 'send': {
        const text = nextName('m')
        const body = { text, key: text, whenBusy: command.mode }
        const { status, body: receipt } = await system.request('POST', `${path}/messages`, body)
        expect(status).toBe(reference.send(text, command.mode))
        if (status === 202) sends.push({ name: text, body, receipt })
        ids.set(text, String(receipt.itemId))
        return
      }
      case 'send again': {
        const last = sends.at(-1)
        if (last === undefined) return
        const repeated = await system.request('POST', `${path}/messages`, last.body)
        expect(repeated).toEqual({ status: 202, body: last.receipt })
        return
      }
      case 'take back': {
        const sent = pickFrom(sends, command.pick)
        if (sent === undefined) return
        const { status } = await system.request('DELETE', `${path}/messages/${ids.get(sent.name)}`)
        expect(status).toBe(reference.deleteMessage(sent.name))
        return
      }
      case 'model says':
        return completeModelCall(command.calls)
      case 'model fails': {
        const request = system.modelCalls(name).at(-1)
        if (request === undefined || !reference.turn?.modelRunning) return
        request.reply(
          command.passes ? replyError(503, { headers: { 'retry-after': '3000' } }) : replyError(401)
        )
        return reference.failStep(command.passes)
      }
      case 'retry now': {
        const { status } = await system.request('POST', `${path}/retry`, {})
        expect(status).toBe(reference.retry())
        return
      }
      case 'retry comes':
        if (!reference.turn?.retrying) return
        for (const { id } of await sql<{ id: string }[]>`
          update turns set retry_at = clock_timestamp()
          where session_key = ${sessionKey} and retry_at is not null returning id`)
          await runJobsNow('retry', `retry:${id}`)
        return reference.retryWhenDue()
      case 'answer': {
        const call = pickFrom(answerable(), command.pick)
        if (call === undefined) return
        const { body, state, result } = answerTo(call, command.no)
        const where = `${path}/calls/${await callIdOf(call)}/answer`
        const { status, body: receipt } = await system.request('POST', where, body)
        // Repeating the same answer settles nothing a second time.
        const isRepeated = isDeepStrictEqual(answersByCall.get(call), body)
        expect(status).toBe(isRepeated ? 200 : reference.settleCall(call, state, result))
        if (status !== 200) return
        answersByCall.set(call, body)
        lastAnswer = { path: where, body, receipt }
        return
      }
      case 'answer again': {
        if (lastAnswer === undefined) return
        const { path: where, body, receipt } = lastAnswer
        expect(await system.request('POST', where, body)).toMatchObject({ status: 200, body: receipt })
        return
      }
      case 'extend': {
        const call = pickFrom(answerable(), command.pick)
        if (call === undefined) return
        const where = `${path}/calls/${await callIdOf(call)}/extend`
        const { status } = await system.request('POST', where, { seconds: command.seconds })
        expect(status).toBe(call.state === 'open' ? 200 : 409)
        return
      }
      case 'deadline': {
        const call = pickFrom(
          answerable().filter(({ state }) => state === 'open'),
          command.pick
        )
        if (call === undefined) return
        const id = await makeDue(call)
        await runJobsNow('deadline', `deadline:${sessionKey}:${id}`)
        reference.settleCall(call, 'expired', 'expired')
        return
      }
      case 'answer too late': {
        const call = pickFrom(
          answerable().filter(({ state }) => state === 'open'),
          command.pick
        )
        if (call === undefined) return
        const id = await makeDue(call)
        const { body } = answerTo(call, false)
        expect(await system.request('POST', `${path}/calls/${id}/answer`, body)).toMatchObject({
          status: 409,
          body: { code: 'ALREADY_SETTLED', winner: { state: 'expired' } }
        })
        reference.settleCall(call, 'expired', 'expired')
        return
      }
      case 'cancel call': {
        const call = pickFrom(answerable(), command.pick)
        if (call === undefined) return
        const isRepeated = call.state === 'cancelled'
        const { status } = await system.request('POST', `${path}/calls/${await callIdOf(call)}/cancel`, {})
        expect(status).toBe(isRepeated ? 200 : reference.settleCall(call, 'cancelled', 'cancelled'))
        return
      }
      case 'cancel': {
        const openCalls = command.calls
          ? await sql<{ input: string }[]>`
              select input::text from calls where session_key = ${sessionKey} and state = 'open' and kind <> 'server'
              order by tool_call_id`
          : []
        const { status } = await system.request('POST', `${path}/cancel`, { calls: command.calls })
        expect(status).toBe(200)
        const cancelledCalls = openCalls.map(({ input }) =>
          reference.calls.find(call => input.includes(`${call.name}"`))
        )
        return reference.cancel(cancelledCalls.filter(call => call !== undefined))
      }
      case 'out of band': {
        const content = nextName('o')
        const { status, body } = await system.request('POST', `${path}/oob`, {
          content,
          source: 'system',
          priority: command.priority,
          ...(command.abort ? { metadata: { action: 'abort' } } : {})
        })
        expect(status).toBe(202)
        ids.set(content, String(body.id))
        return reference.outOfBand(content, command.priority, command.abort)
      }
      case 'take oob back': {
        const oobName = pickFrom([...reference.oobs.keys()], command.pick)
        if (oobName === undefined) return
        const { status } = await system.request('DELETE', `${path}/oob/${ids.get(oobName)}`)
        expect(status).toBe(reference.endOutOfBand(oobName, 'cancelled'))
        return
      }
      case 'oob expires':
        await sql`
          update out_of_band set expires_at = clock_timestamp() where session_key = ${sessionKey} and status = 'visible'`
        await expireOverdueOob(system.ctx())
        for (const [oobName, status] of reference.oobs)
          if (status === 'visible') reference.endOutOfBand(oobName, 'expired')
        return
      case 'delete and revive':
        await system.request('POST', '/plugins/sessions/operations/delete', { sessionId: name })
        expect(
          await system.request('POST', '/plugins/sessions/operations/create', {
            agentId: 'test',
            sessionId: name
          })
        ).toMatchObject({ status: 201, body: { result: { created: true } } })
        sends.length = 0
        lastAnswer = undefined
        return reference.forget()
      case 'reader leaves':
        return reader.disconnect()
      case 'reader comes back':
        return reader.reconnect()
      case 'compact':
        await sql`
          update messages set done_at = done_at - interval '11 minutes' where session_key = ${sessionKey} and done_at is not null`
        reader.expectGaps()
        return compactMessages(system.ctx())
      case 'owner dies':
      case 'deploy':
        throw new Error(`"${command.do}" is for the processes.`)
    }
  }

  function completeModelCall(kinds: readonly CallOrigin[]): void {
    const modelRequest = system.modelCalls(name).at(-1)
    if (modelRequest === undefined || !reference.turn?.modelRunning) return
    const confirmable = modelRequest.lines.findLast(line => line.startsWith('oob '))?.slice('oob '.length)
    const plannedCalls = kinds.map(kind => {
      const confirms = kind === 'confirm' ? confirmable : undefined
      return {
        name: nextName('c'),
        made: kind === 'confirm' && confirmable === undefined ? 'unknown' : kind,
        confirms
      }
    })
    const text = nextName('r')
    // Model requests of lost workers get a reply that no worker stores.
    for (const stale of system.modelCalls(name).slice(repliedCount, -1)) stale.reply(lateReply)
    repliedCount = system.modelCalls(name).length
    const tools = plannedCalls.map(({ name: call, made, confirms }) => toolOf(call, made, confirms))
    modelRequest.reply(tools.length === 0 ? replyText(text) : ({ ...replyCalls(...tools), text } as never))
    reference.completeStep(text, plannedCalls)
  }

  function toolOf(call: string, kind: CallOrigin, confirms: string | undefined) {
    switch (kind) {
      case 'question':
        return { name: 'ask-question', input: { question: call } }
      case 'approval':
        return { name: 'web-fetch', input: { url: `${system.externalSystem}/${call}` } }
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
    const answerText = nextName('a')
    const output = made === 'question' ? { answer: answerText } : { done: answerText }
    return { body: { output }, state: 'answered', result: answerText }
  }

  /** Makes pending jobs due now and wakes the job runner. */
  async function runJobsNow(job: string, jobKey?: string): Promise<void> {
    await sql`
      update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${job} and run_at > now() and (${jobKey ?? null}::text is null or key = ${jobKey ?? null})`
    await sql`select pg_notify('jobs:insert', '{"count":1}')`
  }

  /**
   * Declares the owner dead, as if its heartbeats had stopped, and returns the keys of its sessions. They
   * continue in another worker.
   */
  async function killOwner(): Promise<number[]> {
    const [ownerRow] = await sql<
      { owner: string | null }[]
    >`select owner from heads where session_key = ${sessionKey}`
    if (ownerRow?.owner == null) return []
    const ownedSessions = await sql<
      { key: number }[]
    >`select session_key as key from heads where owner = ${ownerRow.owner}`
    await sql`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where id = ${ownerRow.owner}`
    await reap(sql)
    // After two crashes a session is scheduled some seconds later.
    await runJobsNow('wake')
    return ownedSessions.map(({ key }) => key)
  }

  const expectedState = () => ({
    prompts: reference.prompts,
    status: reference.status,
    isIdle: reference.turn?.modelRunning !== true,
    hasTurn: reference.turn !== undefined,
    queued: reference.messages.map(message => message.name),
    calls: Object.fromEntries(reference.calls.map(comparableCall)),
    oobs: Object.fromEntries([...reference.oobs].sort()),
    agentTexts: reference.agentTexts()
  })

  async function actualState(): Promise<ReturnType<typeof expectedState>> {
    const [view, oobs, [sessionRow]] = await Promise.all([
      system.request('GET', path).then(({ body }) => body as unknown as View),
      system.request('GET', `${path}/oob`).then(({ body }) => body.messages as OutOfBand[]),
      sql<{ isIdle: boolean }[]>`
        select owner is null and has_work = 0 as is_idle from heads where session_key = ${sessionKey}`
    ])
    return {
      prompts: system.modelCalls(name).map(({ lines }) => lines),
      status: view.session.status,
      isIdle: sessionRow?.isIdle ?? false,
      hasTurn: view.turnId !== undefined,
      queued: view.messages.filter(({ metadata }) => metadata?.queued !== undefined).map(textOf),
      calls: Object.fromEntries(view.calls.map(call => comparableCall(toReferenceCall(call)))),
      oobs: Object.fromEntries(oobs.map(({ content, status }) => [content, status] as const).sort()),
      agentTexts: view.messages
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ parts }) => parts.flatMap(part => (part.type === 'text' ? [part.text] : [])))
    }
  }

  /**
   * Resolves when the real session equals the reference. Rejects as soon as they can no longer become equal, or
   * at the time limit.
   */
  async function expectAgreement(): Promise<void> {
    const expected = expectedState()
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const actual = await actualState()
      if (isDeepStrictEqual(actual, expected)) return
      if (Date.now() > deadline || hasDiverged(actual.prompts, expected.prompts))
        return expect(actual).toEqual(expected)
      await pause(5)
    }
  }

  /** Expects that the events of the reader add up to what a snapshot shows now. */
  async function expectReaderAgreement(): Promise<void> {
    reader.reconnect()
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const { session: _, ...now } = (await system.request('GET', path)).body
      const [snapshot, live] = [transcriptOf(now as never), reader.transcript()]
      // A reader that received nothing before the session was created again stays at 0, from where it can read
      // everything.
      const isUnread =
        live.cursor === 0 && (await sql`select from events where session_key = ${sessionKey}`).length === 0
      if (snapshot.cursor === live.cursor || isUnread || Date.now() > deadline) {
        expect(comparableTranscript(live)).toEqual({
          ...comparableTranscript(snapshot),
          ...(isUnread ? { cursor: 0 } : {})
        })
        break
      }
      await pause(5)
    }
    expect(reader.faults).toEqual([])
  }

  return {
    name,
    sessionKey,
    reference,
    act,
    killOwner,
    expectAgreement,
    expectReaderAgreement,
    stop: () => reader.stop()
  }
}
export type Actor = Awaited<ReturnType<typeof openActor>>

/** Returns true if a prompt differs from the reference: a prompt never changes once it is sent. */
const hasDiverged = (actual: readonly string[][], expected: readonly string[][]): boolean =>
  actual.some((lines, n) => !isDeepStrictEqual(lines, expected[n]))

/** Returns a call as both sides show it; the prompts contain its result. */
const comparableCall = ({ name, state, result }: Pick<Call, 'name' | 'state' | 'result'>) =>
  [name, result === null ? `${state}, not over` : state] as const

const toReferenceCall = ({ input, state, ranAt }: WireCall) => ({
  name: /s\d+-c\d+/.exec(JSON.stringify(input))?.[0] ?? '?',
  state,
  result: state === 'open' || (state === 'approved' && ranAt === undefined) ? null : 'over'
})

/** Returns what users see, without the internal state of a live fold. */
const comparableTranscript = ({
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
  // A snapshot contains the pending messages and those that its messages name.
  outOfBand: Object.values(outOfBand)
    .filter(({ status, messageId }) => messageId !== undefined || status === 'visible' || status === 'held')
    .sort((a, b) => a.id.localeCompare(b.id)),
  // A live fold takes the creation time from the first event, and a snapshot from the transaction.
  messages: messages.map(({ message: { metadata, ...message } }) => ({
    ...message,
    metadata: { ...metadata, createdAt: '' }
  }))
})
