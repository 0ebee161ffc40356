import { expect, test } from 'vitest'
import { replyCalls } from '#tests/support/fakes/openai-replies.ts'
import { findViolations } from '#tests/support/servers/find-violations.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('an unhandled urgent message is found: a critical one in an idle session, or a high one while the newest step waits', async () => {
  const server = await startTestServer({
    script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } })]
  })
  const [idle, waitingSession] = [await server.startSession(), await server.startSession()]
  await waitingSession.runTurn('offer me something')
  await waitingSession.waitForCall('ask-question')
  /** Inserts a message as if its wake-up had been lost. */
  const insertUnannounced = (key: number, priority: string) => server.sql`
    with told as (
      insert into out_of_band (id, session_key, source, source_id, priority, content, queued_at, expires_at)
      values (${`oob_${key}_${priority}`}, ${key}, 'external', 'ci', ${priority}, 'It burns.', clock_timestamp(),
        clock_timestamp() + interval '1 hour')
      returning id
    )
    insert into inbox (session_key, item_id, kind, payload)
    select ${key}, id, 'oob', jsonb_build_object('priority', ${priority}::text, 'resting', false) from told`
  const unhandled = async () =>
    (await findViolations(server.sql))['urgent out-of-band messages that wait for nothing']?.map(
      row => (row as { id: string }).id
    )
  for (const priority of ['high', 'normal']) await insertUnannounced(idle.key, priority)
  await insertUnannounced(waitingSession.key, 'normal')
  expect(await unhandled()).toEqual([])
  await insertUnannounced(idle.key, 'critical')
  await insertUnannounced(waitingSession.key, 'high')
  expect(new Set(await unhandled())).toEqual(
    new Set([`oob_${idle.key}_critical`, `oob_${waitingSession.key}_high`])
  )
})
