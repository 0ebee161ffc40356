import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection to a server that a test can cut. */
export type CuttableProxy = {
  /** The URL for clients. */
  url: string
  /** Returns the number of connections so far. */
  connections: () => number
  /** Cuts every open connection, in the middle of its data. */
  cut: () => void
  /** Loses this many responses: the server gets the request, and the client's connection breaks. */
  loseReplies: (count: number) => void
}

/** Opens a line to `url`, for this test. */
export async function startCuttableProxy(url: string): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  let toLose = 0
  const server = createServer(client => {
    connectionCount++
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
      if (toLose === 0) return client.write(data)
      toLose--
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
    connections: () => connectionCount,
    cut,
    loseReplies: count => {
      toLose = count
    }
  }
}
