import { expect } from 'vitest'
import { findViolations } from '#tests/support/servers/find-violations.ts'
import { type Actor, openActor } from './actor.ts'
import { type Command, type Scheduled, sessions } from './commands.ts'
import type { TestSystem } from './test-system.ts'

/**
 * Plays a schedule and compares each session with its reference after each command. Then it finishes all turns
 * and checks the stored state and the readers.
 */
export async function runSchedule(
  system: TestSystem,
  schedule: readonly Scheduled[],
  nameOf: () => string
): Promise<void> {
  const actors = await Promise.all(Array.from({ length: sessions }, () => openActor(system, nameOf())))
  try {
    for (const [n, { in: sessionIndex, ...command }] of schedule.entries())
      await run(system, actors, sessionIndex, command as Command).catch(cause => {
        throw new Error(`It went wrong at ${n}: ${command.do} in ${sessionIndex}.`, { cause })
      })
    for (const [index, { reference }] of actors.entries())
      while (reference.turn !== undefined)
        await run(
          system,
          actors,
          index,
          reference.turn.modelRunning ? { do: 'model says', calls: [] } : { do: 'retry comes' }
        )
    for (const actor of actors) await actor.expectReaderAgreement()
    // Compaction leaves gaps by design, and the readers have checked for others.
    const { 'sessions whose log has gaps': _, ...faults } = await findViolations(system.sql)
    for (const [label, rows] of Object.entries(faults)) expect(rows, label).toEqual([])
  } finally {
    await Promise.all(actors.map(actor => actor.stop()))
  }
}

async function run(
  system: TestSystem,
  actors: readonly Actor[],
  sessionIndex: number,
  command: Command
): Promise<void> {
  const actor = actors[sessionIndex] as Actor
  if (command.do === 'owner dies') loseOwner(actors, await actor.killOwner())
  else if (command.do === 'deploy') {
    const owners = await system.sql<{ key: number; owner: string }[]>`
      select session_key as key, owner from heads where owner is not null`
    await system.deploy()
    const workers = await system.sql<{ id: string }[]>`select id from workers`
    loseOwner(
      actors,
      owners.filter(({ owner }) => !workers.some(({ id }) => id === owner)).map(({ key }) => key)
    )
  } else await actor.act(command)
  for (const { reference } of actors) reference.settle()
  await Promise.all(actors.map(other => other.expectAgreement()))
}

function loseOwner(actors: readonly Actor[], keys: readonly number[]): void {
  for (const { sessionKey, reference } of actors) if (keys.includes(sessionKey)) reference.loseOwner()
}
