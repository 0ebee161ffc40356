import { expect, test } from 'vitest'
import { calls } from '#tests/support/fakes/openai-replies.ts'
import { findUnsound } from '#tests/support/worlds/find-unsound.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('what is urgent and waits for nothing is seen: something critical at rest, something high where the newest step waits', async () => {
  const here = await testWorld({ script: [calls({ name: 'ask-question', input: { question: 'Tea?' } })] })
  const [idle, asking] = [await here.session(), await here.session()]
  await asking.says('offer me something')
  await asking.waitsFor('ask-question')
  /** As it would lie there if nobody had been rung for it. */
  const forget = (key: number, priority: string) => here.sql`
    with told as (
      insert into out_of_band (id, session_key, source, source_id, priority, content, queued_at, expires_at)
      values (${`oob_${key}_${priority}`}, ${key}, 'external', 'ci', ${priority}, 'It burns.', clock_timestamp(),
        clock_timestamp() + interval '1 hour')
      returning id
    )
    insert into inbox (session_key, item_id, kind, payload)
    select ${key}, id, 'oob', jsonb_build_object('priority', ${priority}::text, 'resting', false) from told`
  const seen = async () =>
    (await findUnsound(here.sql))['urgent out-of-band messages that wait for nothing']?.map(
      row => (row as { id: string }).id
    )
  for (const priority of ['high', 'normal']) await forget(idle.key, priority)
  await forget(asking.key, 'normal')
  expect(await seen()).toEqual([])
  await forget(idle.key, 'critical')
  await forget(asking.key, 'high')
  expect(new Set(await seen())).toEqual(new Set([`oob_${idle.key}_critical`, `oob_${asking.key}_high`]))
})
