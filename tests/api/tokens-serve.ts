import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onTestFinished } from 'vitest'
import { operations } from '#lib/http/operations/all.ts'
import type { Handler } from '#lib/http/route.ts'
import { fileOf } from '#tests/support/doors.ts'

const doors = operations.map(({ path }) => ({
  file: fileOf(path),
  fits: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}))

/** The API's own route files behind a real HTTP server; its address. */
export async function serveApi(): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://localhost:3000')
    const door = doors.find(({ file, fits }) => fits.test(url.pathname) && existsSync(file))
    const handlers: Record<string, Handler> =
      door === undefined ? {} : await import(`${process.cwd()}/${door.file}`)
    const handler = handlers[incoming.method ?? '']
    if (handler === undefined) return outgoing.writeHead(405).end()
    const gone = new AbortController()
    outgoing.on('close', () => gone.abort())
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'OPTIONS'
    const request = new Request(url, {
      method: incoming.method,
      headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map(value => [name, value] as [string, string])
      ),
      signal: gone.signal,
      ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {})
    } as RequestInit)
    const params = door?.fits.exec(url.pathname)?.groups ?? {}
    const response = await handler(request, { params: Promise.resolve({ ...params }) })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) return outgoing.end()
    // A reader who leaves ends it in the middle.
    await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
