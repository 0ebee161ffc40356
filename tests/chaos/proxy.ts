import { connect, createServer, type Socket } from 'node:net'

/** The kind of lost response: to the COMMIT of a transaction, or to a statement without an explicit transaction. */
type Loss = 'commit' | 'answer'

/** A connection to Postgres that can break and stall. */
export type PostgresProxy = {
  port: number
  /** The number of lost responses of each kind. */
  lost: Record<Loss, number>
  /** Drops the responses to the next `count` commits of this kind, together with their connections. */
  lose(kind: Loss, count: number): void
  /**
   * Breaks the connection that delivers the `n + 1`th "ready for query" from now. The returned function says whether
   * that happened.
   */
  cutAfter(n: number): () => boolean
  /** Holds back all data in both directions. */
  stall(): void
  /** Lets data pass again. */
  go(): void
  /** Lets data pass again and cancels all planned losses. */
  heal(): void
  close(): Promise<void>
}

/** The first bytes of two Postgres messages (manual, 54.7). */
const [commandComplete, readyForQuery] = [...Buffer.from('CZ')]

/**
 * Starts a TCP proxy on a free port of 127.0.0.1 in front of the Postgres on `port`. The connection must not use
 * TLS.
 */
export async function startProxy(port: number): Promise<PostgresProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>()
  const lost: Record<Loss, number> = { commit: 0, answer: 0 }
  const pending: Record<Loss, number> = { commit: 0, answer: 0 }
  let stalled = false
  /** The number of statements that pass before a connection breaks. */
  let remaining = Number.POSITIVE_INFINITY

  const takeLoss = (kind: Loss | undefined): boolean => {
    if (kind === undefined || pending[kind] === 0) return false
    pending[kind] -= 1
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
    let buffered: Buffer = Buffer.alloc(0)
    let tag = ''
    /**
     * Returns the kind of commit that this message confirms: a COMMIT, or a single statement once the connection is
     * idle.
     */
    const committed = (message: Buffer): Loss | undefined => {
      if (message[0] === commandComplete) {
        tag = message.toString('latin1', 5, message.length - 1)
        return tag === 'COMMIT' ? 'commit' : undefined
      }
      const idle = message[0] === readyForQuery && message.toString('latin1', 5) === 'I'
      return idle && /^(INSERT|UPDATE|DELETE|SELECT)/.test(tag) ? 'answer' : undefined
    }
    far.on('data', data => {
      buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data])
      let end = 0
      // A message has a type byte and a length that includes itself. The proxy forwards only whole messages.
      while (buffered.length >= end + 5) {
        const next = end + 1 + buffered.readUInt32BE(end + 1)
        if (buffered.length < next) break
        if (takeLoss(committed(buffered.subarray(end, next)))) return cut()
        if (buffered[end] === readyForQuery && remaining-- === 0) return cut()
        end = next
      }
      if (end > 0) near.write(buffered.subarray(0, end))
      buffered = buffered.subarray(end)
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
      pending[kind] += count
    },
    cutAfter(n) {
      remaining = n
      return () => remaining < 0
    },
    stall() {
      stalled = true
      each(socket => socket.pause())
    },
    go,
    heal() {
      Object.assign(pending, { commit: 0, answer: 0 })
      remaining = Number.POSITIVE_INFINITY
      go()
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        each(socket => socket.destroy())
      })
  }
}
