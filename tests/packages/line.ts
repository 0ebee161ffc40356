import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A wire to a server that can be cut. */
export type Line = {
  /** Where clients connect to. */
  url: string
  /** How many connections there were. */
  connections: () => number
  /** Breaks every connection that is up, in the middle of whatever it carries. */
  cut: () => void
  /** Lets this many answers vanish: the server gets the request, the client a broken connection. */
  loseReplies: (count: number) => void
}

/** A wire to `url`, for this test. */
export async function lineTo(url: string): Promise<Line> {
  const sockets = new Set<Socket>()
  let made = 0
  let lose = 0
  const server = createServer(client => {
    made++
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    const drop = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', drop).on('close', () => {
        sockets.delete(socket)
        drop()
      })
    }
    client.pipe(upstream)
    upstream.on('data', data => {
      if (lose === 0) return client.write(data)
      lose--
      drop()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => made,
    cut,
    loseReplies: count => {
      lose = count
    }
  }
}
