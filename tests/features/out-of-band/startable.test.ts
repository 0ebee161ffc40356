import { expect, test } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import { lockHead } from '#lib/events/head.ts'
import type { WaitingItem } from '#lib/inbox/drain.ts'
import { startable } from '#lib/inbox/startable.ts'
import { drainOob } from '#lib/oob/drain.ts'
import { OobPriority } from '#lib/protocol/out-of-band.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }

class Undone extends Error {}

test('what a worker is rung for is what a turn then takes: one message out of band, in every state of a session', async () => {
  const {
    ctx,
    agent,
    session: open
  } = await testWorld({
    script: (_, index) => (index === 0 ? says('Hello.') : calls(question))
  })
  await agent({ chat: { tools: [{ name: 'ask-question' }] } })
  const idle = await open('test')
  await idle.says('hi')
  const parked = await open('test')
  await parked.says('ask')

  /** Whether a worker is rung, with this one waiting and a turn that is not there, live, or waits to be tried again. */
  async function isRung(
    sessionId: string,
    turn: 'none' | 'live' | 'retrying',
    payload: object
  ): Promise<boolean> {
    let rung = false
    await inTransaction(ctx, async tx => {
      const head = await lockHead(tx, sessionId)
      await tx.sql`
        insert into inbox (session_key, item_id, kind, payload)
        values (${head.sessionKey}, 'one', 'oob', ${payload}::jsonb)`
      if (turn !== 'none') {
        head.turnId = 'turn_now'
        await tx.sql`
          insert into turns (id, session_key, started_at, budget_steps, budget_usd, retry_at)
          values ('turn_now', ${head.sessionKey}, now(), 0, 0, ${turn === 'retrying' ? new Date().toISOString() : null})`
      }
      rung = await startable(tx, head)
      throw new Undone()
    }).catch(error => {
      if (!(error instanceof Undone)) throw error
    })
    return rung
  }

  for (const [name, { id }] of Object.entries({ idle, parked }))
    for (const turn of ['none', 'live', 'retrying'] as const)
      for (const priority of OobPriority.options)
        for (const resting of [false, true]) {
          const payload = { priority, resting }
          const isOpen = name === 'parked'
          const item = { id: 1, itemId: 'one', kind: 'oob', payload } as WaitingItem
          const at = {
            firstStep: false,
            open: isOpen,
            retrying: turn === 'retrying',
            atLimit: false,
            otherwise: false
          }
          const { starts, taken } = drainOob([item], at)
          expect(taken.length > 0, 'what starts a step is told with it').toBe(starts)
          const wanted = turn === 'none' ? starts && (priority === 'critical' || isOpen) : starts
          expect(await isRung(id, turn, payload), `${name}, ${turn}, ${JSON.stringify(payload)}`).toBe(wanted)
        }
})

test('while a step is begun for another reason everything urgent goes along, and with the first of a turn what is low too', () => {
  const items = OobPriority.options.map(
    (priority, id) =>
      ({ id, itemId: priority, kind: 'oob', payload: { priority, resting: false } }) as WaitingItem
  )
  const at = { open: false, retrying: false, atLimit: false, otherwise: true }
  const told = (firstStep: boolean) => drainOob(items, { ...at, firstStep }).taken.map(({ itemId }) => itemId)
  expect(told(true)).toEqual(['critical', 'high', 'normal', 'low'])
  expect(told(false)).toEqual(['critical', 'high', 'normal'])
  expect(drainOob(items, { ...at, firstStep: false, atLimit: true, otherwise: false }).taken).toEqual([])
})
