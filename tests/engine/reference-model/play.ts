import { expect } from 'vitest'
import { findUnsound } from '#tests/support/worlds/find-unsound.ts'
import { type Actor, openActor } from './actor.ts'
import { type Command, type Scheduled, sessions } from './commands.ts'
import type { Stage } from './stage.ts'

/**
 * Plays a schedule: after each command every session is what its reference says. Then whatever still runs is brought to its
 * end, and what is stored and what readers were told is judged.
 */
export async function play(
  stage: Stage,
  schedule: readonly Scheduled[],
  nameOf: () => string
): Promise<void> {
  const actors = await Promise.all(Array.from({ length: sessions }, () => openActor(stage, nameOf())))
  try {
    for (const [n, { in: at, ...command }] of schedule.entries())
      await happen(stage, actors, at, command as Command).catch(cause => {
        throw new Error(`It went wrong at ${n}: ${command.do} in ${at}.`, { cause })
      })
    for (const [at, { reference }] of actors.entries())
      while (reference.turn !== undefined)
        await happen(
          stage,
          actors,
          at,
          reference.turn.asked ? { do: 'model says', calls: [] } : { do: 'retry comes' }
        )
    for (const actor of actors) await actor.readersAgree()
    // What is compacted has gaps by nature, and readers looked for others.
    const { 'sessions whose log has gaps': _, ...faults } = await findUnsound(stage.sql)
    for (const [what, rows] of Object.entries(faults)) expect(rows, what).toEqual([])
  } finally {
    await Promise.all(actors.map(actor => actor.stop()))
  }
}

async function happen(stage: Stage, actors: readonly Actor[], at: number, command: Command): Promise<void> {
  const actor = actors[at] as Actor
  if (command.do === 'owner dies') gone(actors, await actor.killOwner())
  else if (command.do === 'deploy') {
    const owners = await stage.sql<{ key: number; owner: string }[]>`
      select session_key as key, owner from heads where owner is not null`
    await stage.deploy()
    const left = await stage.sql<{ id: string }[]>`select id from workers`
    gone(
      actors,
      owners.filter(({ owner }) => !left.some(({ id }) => id === owner)).map(({ key }) => key)
    )
  } else await actor.act(command)
  for (const { reference } of actors) reference.settle()
  await Promise.all(actors.map(one => one.agree()))
}

function gone(actors: readonly Actor[], keys: readonly number[]): void {
  for (const { sessionKey, reference } of actors) if (keys.includes(sessionKey)) reference.ownerGone()
}
