import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeRequest } from 'srvx/node'
import { expect, onTestFinished, test } from 'vitest'
import { peerHeader } from '#lib/http/request/client-address.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'
import { secure } from './headers.ts'

test('a client cannot choose its own IP, even if the server lists all request headers', async () => {
  const server = createServer((request, response) => {
    secure(request, response, readEnv({}), false)
    const { headers } = new NodeRequest({ req: request, res: response })
    const before = headers.get(peerHeader)
    const listed = [...headers].filter(([name]) => name === peerHeader)
    response.end(JSON.stringify([before, listed, headers.get(peerHeader)]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const response = await fetch(url, { headers: { [peerHeader]: '203.0.113.9' } })
  const peer = '127.0.0.1'
  expect(await response.json()).toEqual([peer, [[peerHeader, peer]], peer])
})
