import { SendMessage } from '#lib/protocol/session/session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { cpuOf, now } from './machine.ts'
import type { Stage } from './stage.ts'
import { newestEvent, turnsEnd } from './turns-end.ts'

/** What one turn of one step costs, all of it: put, step, end, and one follower. Milliseconds, of wall and of CPU. */
export type Work = { n: number; wall: number; node: number; postgres?: number; statements: number }

/** Turns one after the other, each in a session of its own; what rests between them is counted too. */
export async function measureWork(stage: Stage, postmaster: number, turns: number): Promise<Work> {
  const sessions = await Promise.all(Array.from({ length: turns }, () => stage.session()))
  const ready = await Promise.all(
    sessions.map(async sessionId => ({ sessionId, ...(await newestEvent(stage, sessionId)) }))
  )
  let statements = 0
  const stop = stage.onStatement(() => statements++)
  const postgres = cpuOf(postmaster)
  const node = process.cpuUsage()
  const began = now()
  for (const session of ready) {
    const over = turnsEnd(stage, session)
    const { sessionId } = session
    await sendMessage(stage.ctx, SendMessage.parse({ sessionId, text: 'Look at it again, please.' }))
    await over
  }
  const wall = now() - began
  const { user, system } = process.cpuUsage(node)
  const used = cpuOf(postmaster)
  stop()
  return {
    n: turns,
    wall: wall / turns,
    node: (user + system) / 1000 / turns,
    ...(used === undefined || postgres === undefined ? {} : { postgres: (used - postgres) / turns }),
    statements: statements / turns
  }
}
