import { SendMessage } from '@waystation/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { cpuOf, now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/**
 * The cost of a turn of one step with one follower, from the message to the end of the turn. Milliseconds of
 * elapsed time and of CPU time. `commits` are those of transactions. A single statement commits by itself.
 */
export type Work = {
  n: number
  wall: number
  node: number
  postgres?: number
  statements: number
  commits: number
}

/** Runs turns one after the other, each in its own session. Includes the background work between them. */
export async function measureWork(stage: Stage, postmaster: number, turns: number): Promise<Work> {
  const sessions = await Promise.all(Array.from({ length: turns }, () => stage.session()))
  const ready = await Promise.all(
    sessions.map(async sessionId => ({ sessionId, ...(await newestEvent(stage, sessionId)) }))
  )
  let statements = 0
  let commits = 0
  const stop = stage.onStatement(text => {
    statements++
    if (text.startsWith('commit')) commits++
  })
  const postgresBefore = cpuOf(postmaster)
  const node = process.cpuUsage()
  const startedAt = now()
  for (const session of ready) {
    const turnEnd = turnsEnd(stage, session)
    const { sessionId } = session
    await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
    await turnEnd
  }
  const wall = now() - startedAt
  const { user, system } = process.cpuUsage(node)
  const postgresAfter = cpuOf(postmaster)
  stop()
  return {
    n: turns,
    wall: wall / turns,
    node: (user + system) / 1000 / turns,
    ...(postgresAfter === undefined || postgresBefore === undefined
      ? {}
      : { postgres: (postgresAfter - postgresBefore) / turns }),
    statements: statements / turns,
    commits: commits / turns
  }
}
