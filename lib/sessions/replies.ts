import postgres from 'postgres'
import { json } from '#db/client.ts'
import { tryAgain } from '#db/transaction.ts'
import type { PlacedReply, Replies, WholeReply } from '#lib/kernel/replies.ts'
import { claimsOf } from './callback-places.ts'

type Waiting = {
  reply: WholeReply
  skipped: number
  done: (placed: PlacedReply) => void
  failed: (error: unknown) => void
}

/**
 * The most that go in one trip, which bounds its statement and how long one waits for the others; and the trips at once:
 * while one is on its way to the disk, another is judged.
 */
const most = { replies: 64, bytes: 4 * 1024 * 1024, groups: 2 }

/** Skipped as often as that, it goes alone. */
const isStalled = ({ skipped }: Waiting) => skipped >= 3

/**
 * The replies of external agents that come to a process, placed in one call of `place_replies` (0018 of the migrations) a
 * group, one of each session: at once, unless two groups are under way. Whoever waits is answered after the
 * commit. A reply whose session somebody else holds waits for the next group; after three it goes alone and waits for the
 * lock. When a group fails, each of it is tried alone and fails alone.
 */
class ReplyPlacer {
  readonly #sql: postgres.Sql
  readonly #ring: (sessionKey: number) => void
  #waiting: Waiting[] = []
  /** Sessions that have a reply under way: their next one waits, so that they stay in order. */
  readonly #busy = new Set<number>()
  /** The next group is being gathered. */
  #gathering = false
  #underWay = 0

  constructor(sql: postgres.Sql, ring: (sessionKey: number) => void) {
    this.#sql = sql
    this.#ring = ring
  }

  /** Resolves when it is committed, or when it is certain that it will not be. */
  place(reply: WholeReply): Promise<PlacedReply> {
    return new Promise((done, failed) => {
      this.#waiting.push({ reply, skipped: 0, done, failed })
      this.#start()
    })
  }

  #start(): void {
    if (this.#gathering || this.#underWay === most.groups) return
    if (!this.#waiting.some(({ reply }) => !this.#busy.has(reply.sessionKey))) return
    this.#gathering = true
    // What comes in the same moment goes along.
    setImmediate(() => {
      this.#gathering = false
      const group = this.#take()
      const [alone, together] = [group.filter(isStalled), group.filter(one => !isStalled(one))]
      for (const one of alone) void this.#placeAlone(one).finally(() => this.#start())
      if (together.length === 0) return
      this.#underWay += 1
      void this.#placeTogether(together).finally(() => {
        this.#underWay -= 1
        this.#start()
      })
      this.#start()
    })
  }

  /** The next of each session that has none under way, in the order they came. */
  #take(): Waiting[] {
    const taken: Waiting[] = []
    let bytes = 0
    this.#waiting = this.#waiting.filter(one => {
      const { sessionKey, text } = one.reply
      const fits = taken.length < most.replies && (bytes === 0 || bytes + text.length <= most.bytes)
      if (!fits || this.#busy.has(sessionKey)) return true
      this.#busy.add(sessionKey)
      taken.push(one)
      bytes += text.length
      return false
    })
    return taken
  }

  async #placeTogether(group: Waiting[]): Promise<void> {
    try {
      const placed = await this.#call(group, false)
      // Put back before those that came meanwhile.
      const skipped = group.filter((_, n) => placed[n] === undefined)
      for (const { reply } of skipped) this.#busy.delete(reply.sessionKey)
      this.#waiting.unshift(...skipped.map(one => ({ ...one, skipped: one.skipped + 1 })))
      for (const [n, one] of group.entries()) if (placed[n] !== undefined) this.#finish(one, placed[n])
    } catch (error) {
      // A refusal of the database is about one of them, and nothing was done. Anything else leaves unknown what was done:
      // whoever sent a key may send it again.
      for (const one of group)
        if (error instanceof postgres.PostgresError) await this.#placeAlone(one)
        else this.#fail(one, error)
    }
  }

  async #placeAlone(one: Waiting): Promise<void> {
    try {
      const [placed = { outcome: 'gone' } as const] = await tryAgain(() => this.#call([one], true))
      this.#finish(one, placed)
    } catch (error) {
      this.#fail(one, error)
    }
  }

  #finish({ reply, done }: Waiting, placed: PlacedReply): void {
    this.#busy.delete(reply.sessionKey)
    if (placed.outcome === 'placed') this.#ring(reply.sessionKey)
    done(placed)
  }

  #fail({ reply, failed }: Waiting, error: unknown): void {
    this.#busy.delete(reply.sessionKey)
    failed(error)
  }

  /** One of each, at its place in the group; undefined: its session is held by somebody else. */
  async #call(group: Waiting[], waiting: boolean): Promise<(PlacedReply | undefined)[]> {
    const replies = group.map(({ reply }, n) => {
      const {
        sessionKey: session,
        generation: life,
        message,
        receipt,
        text,
        agentName: agent,
        ...rest
      } = reply
      return {
        n,
        session,
        life,
        id: message.id,
        message,
        receipt,
        snippet: text.trim().slice(0, 160),
        agent,
        ...rest
      }
    })
    const rows = await this.#sql<({ n: number } & PlacedReply)[]>`
      select n, outcome, digest, receipt from place_replies(${json(replies)}::text::json, ${waiting})`
    const byPlace = new Map(rows.map(({ n, ...placed }) => [n, placed as PlacedReply]))
    return group.map((_, n) => byPlace.get(n))
  }
}

/** The port, on one pool. */
export const repliesWith = (sql: postgres.Sql, ring: (sessionKey: number) => void): Replies => {
  const placer = new ReplyPlacer(sql, ring)
  return { ...claimsOf(sql), place: reply => placer.place(reply) }
}
