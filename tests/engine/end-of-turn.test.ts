import { expect, onTestFinished, test } from 'vitest'
import { armFailpoints } from '#lib/kernel/failpoint.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('the last step of a turn and the end of the turn are committed together', async () => {
  const { sql, startSession } = await startTestServer({ script: [replyText('That is all.')] })
  const session = await startSession()
  const turnsAfterCommits: { committed: number; hasEnded: boolean }[] = []
  armFailpoints(async point => {
    if (point !== 'after_commit_before_reply') return
    turnsAfterCommits.push(
      ...(await sql<{ committed: number; hasEnded: boolean }[]>`
        select committed, ended_at is not null as has_ended from turns where session_key = ${session.key}`)
    )
  })
  onTestFinished(() => armFailpoints(() => undefined))
  await session.runTurn('go')
  expect(turnsAfterCommits).toContainEqual({ committed: 1, hasEnded: true })
  expect(turnsAfterCommits).not.toContainEqual({ committed: 1, hasEnded: false })
})
