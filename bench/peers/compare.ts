import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '#bench/child.ts'
import { cpuOf, now, residentOf } from '#bench/machine.ts'
import { spreadOf } from '#bench/percentiles.ts'
import { freePort } from '#tests/support/servers/free-port.ts'
import { install } from './install.ts'
import type { Outcome, Peer, Place, RunningPeer } from './peer.ts'

/** The figures of one round: milliseconds, runs a second, milliseconds of CPU per run, and megabytes. */
export type PeerFigures = {
  done: number
  parked: number
  approved: number
  once: number
  inTurn: number
  serverCpu: number
  postgresCpu: number
  rest: number
  after: number
  later: number
}

const sessions = 200
const inTurn = 5
const samples = { done: 50, parked: 30 }
const settleMs = 10_000
const laterMs = 30_000

/**
 * Installs each peer into a folder of its own, and runs the same work on one after the other, in a rotated order in each
 * round. Returns the medians of the rounds. The peers share a Postgres, and each starts a round without any data.
 */
export async function comparePeers(
  peers: readonly Peer[],
  { dir, postmaster, newDatabase }: Shared,
  { rounds, progress }: { rounds: number; progress(what: string): void }
): Promise<Map<Peer, PeerFigures>> {
  await using provider = await startChild('peers/instant-provider.ts', [])
  const places = new Map<Peer, Place>()
  for (const peer of peers) {
    progress(`Installing ${peer.name}`)
    const folder = mkdtempSync(join(dir, 'peer-'))
    const place = {
      folder,
      modelUrl: `${provider.url}/v1`,
      databaseUrl: '',
      port: await freePort()
    }
    await install(peer, place)
    places.set(peer, place)
  }
  const measured = new Map<Peer, PeerFigures[]>(peers.map(peer => [peer, []]))
  for (let round = 0; round < rounds; round++)
    for (const peer of [...peers.slice(round % peers.length), ...peers.slice(0, round % peers.length)]) {
      progress(`${peer.name}, round ${round + 1}`)
      const place = { ...(places.get(peer) as Place), databaseUrl: await newDatabase() }
      for (const path of peer.data ?? []) rmSync(join(place.folder, path), { recursive: true, force: true })
      await peer.prepare?.(place)
      measured.get(peer)?.push(await measurePeer(peer, place, postmaster))
    }
  return new Map([...measured].map(([peer, figures]) => [peer, medians(figures)]))
}

/** A folder for the projects of all peers, and the Postgres that they share. */
type Shared = { dir: string; postmaster: number; newDatabase(): Promise<string> }

async function measurePeer(peer: Peer, place: Place, postmaster: number): Promise<PeerFigures> {
  await using server = await peer.start(place)
  await pause(settleMs)
  const rest = known(residentOf(server.pid))
  for (let n = 0; n < 20; n++) await run(server, 'Hello.', 'done')
  const done: number[] = []
  for (let n = 0; n < samples.done; n++) done.push(await run(server, 'Hello.', 'done'))
  const [parked, approved] = [[] as number[], [] as number[]]
  for (let n = 0; n < samples.parked; n++) {
    const sessionId = await server.createSession()
    parked.push(await run(server, 'Please deploy.', 'parked', sessionId))
    approved.push(await timed(() => server.approve(sessionId)))
  }
  const once = await load(server, 1)
  const before = [known(cpuOf(server.pid)), known(cpuOf(postmaster))] as const
  const perSecond = await load(server, inTurn)
  const [serverCpu, postgresCpu] = [known(cpuOf(server.pid)), known(cpuOf(postmaster))]
  const after = known(residentOf(server.pid))
  await pause(laterMs)
  const runs = sessions * inTurn
  return {
    done: spreadOf(done).p50,
    parked: spreadOf(parked).p50,
    approved: spreadOf(approved).p50,
    once,
    inTurn: perSecond,
    serverCpu: (serverCpu - before[0]) / runs,
    postgresCpu: (postgresCpu - before[1]) / runs,
    rest,
    after,
    later: known(residentOf(server.pid))
  }
}

/** Throws without a value, because a figure that was not measured is not zero. */
function known(figure: number | undefined): number {
  if (figure === undefined) throw new Error('The comparison needs Linux, because it reads /proc.')
  return figure
}

/** Runs 200 new sessions at once, each with this many messages in turn, and returns the runs per second. */
async function load(server: RunningPeer, messages: number): Promise<number> {
  const ids: string[] = []
  for (let n = 0; n < sessions; n++) ids.push(await server.createSession())
  const ms = await timed(async () => {
    await Promise.all(
      ids.map(async id => {
        for (let n = 0; n < messages; n++) await run(server, 'Hello.', 'done', id)
      })
    )
  })
  return (sessions * messages) / (ms / 1000)
}

/** Sends one message and returns the milliseconds until the outcome. Throws if it is not the expected one. */
async function run(server: RunningPeer, text: string, expected: Outcome, id?: string): Promise<number> {
  const sessionId = id ?? (await server.createSession())
  return await timed(async () => {
    const outcome = await server.send(sessionId, text)
    if (outcome !== expected) throw new Error(`The run ended as ${outcome} instead of ${expected}.`)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = now()
  await work()
  return now() - startedAt
}

function medians(rounds: readonly PeerFigures[]): PeerFigures {
  const [first] = rounds
  if (first === undefined) throw new Error('Nothing was measured.')
  const names = Object.keys(first) as (keyof PeerFigures)[]
  return Object.fromEntries(
    names.map(name => [name, spreadOf(rounds.map(figures => figures[name])).p50])
  ) as PeerFigures
}
