import { connect, createServer, type Socket } from 'node:net'

/** Whose answer is lost: that of a transaction's COMMIT, or of a statement that is a transaction by itself. */
type Loss = 'commit' | 'answer'

/** A wire to Postgres that can break, and stand still. */
export type Wire = {
  port: number
  /** How many answers of each kind were lost so far. */
  lost: Record<Loss, number>
  /** Of the transactions that Postgres commits from now on, loses the answers of so many, and their connections. */
  lose(kind: Loss, count: number): void
  /** Breaks the connection over which Postgres says for the `n + 1`th time from now that it is done with a statement. Whether
   * it came to that, is the answer's to say. */
  cutAfter(n: number): () => boolean
  /** Nothing passes any more, in either direction; what comes waits. */
  stall(): void
  /** It passes again. */
  go(): void
  /** The same, and nothing more is lost. */
  heal(): void
  close(): Promise<void>
}

/** Messages of Postgres, by their first byte (its manual, 54.7). */
const [commandComplete, readyForQuery] = [...Buffer.from('CZ')]

/** A TCP proxy on a free port of 127.0.0.1 in front of the Postgres on `port`, which speaks without TLS. */
export async function startProxy(port: number): Promise<Wire> {
  const pairs = new Set<{ near: Socket; far: Socket }>()
  const lost: Record<Loss, number> = { commit: 0, answer: 0 }
  const armed: Record<Loss, number> = { commit: 0, answer: 0 }
  let stalled = false
  /** How many statements are let through before a connection is broken. */
  let left = Number.POSITIVE_INFINITY

  const swallows = (kind: Loss | undefined): boolean => {
    if (kind === undefined || armed[kind] === 0) return false
    armed[kind] -= 1
    lost[kind] += 1
    return true
  }

  const server = createServer(near => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    near.setNoDelay(true)
    const pair = { near, far }
    pairs.add(pair)
    const cut = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', cut).on('close', cut)
    if (stalled) for (const socket of [near, far]) socket.pause()
    near.on('data', data => far.write(data))
    let rest: Buffer = Buffer.alloc(0)
    let tag = ''
    /** What this message says was committed: a transaction by its COMMIT, a single statement when all is idle again. */
    const committed = (message: Buffer): Loss | undefined => {
      if (message[0] === commandComplete) {
        tag = message.toString('latin1', 5, message.length - 1)
        return tag === 'COMMIT' ? 'commit' : undefined
      }
      const idle = message[0] === readyForQuery && message.toString('latin1', 5) === 'I'
      return idle && /^(INSERT|UPDATE|DELETE|SELECT)/.test(tag) ? 'answer' : undefined
    }
    far.on('data', data => {
      rest = rest.length === 0 ? data : Buffer.concat([rest, data])
      let end = 0
      // A type, and the length of what follows it, itself included. Only whole messages are passed on.
      while (rest.length >= end + 5) {
        const next = end + 1 + rest.readUInt32BE(end + 1)
        if (rest.length < next) break
        if (swallows(committed(rest.subarray(end, next)))) return cut()
        if (rest[end] === readyForQuery && left-- === 0) return cut()
        end = next
      }
      if (end > 0) near.write(rest.subarray(0, end))
      rest = rest.subarray(end)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const go = () => {
    stalled = false
    each(socket => socket.resume())
  }
  const each = (work: (socket: Socket) => void) => {
    for (const { near, far } of pairs) for (const socket of [near, far]) work(socket)
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    lost,
    lose(kind, count) {
      armed[kind] += count
    },
    cutAfter(n) {
      left = n
      return () => left < 0
    },
    stall() {
      stalled = true
      each(socket => socket.pause())
    },
    go,
    heal() {
      Object.assign(armed, { commit: 0, answer: 0 })
      left = Number.POSITIVE_INFINITY
      go()
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        each(socket => socket.destroy())
      })
  }
}
