import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEgressPolicy } from '@waystation/egress'
import { fetchOptions } from '@waystation/plugin-host/fetch-options.ts'
import { readHandshake } from '@waystation/plugin-host/handshake.ts'
import { expect, onTestFinished, test } from 'vitest'
import { superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

const protos = pythonProtos()

/** Starts a local server that responds with one option. `requestCount` counts its requests. */
async function serveOption() {
  const served = { port: 0, requestCount: 0 }
  const server = createServer((_, response) => {
    served.requestCount += 1
    response.end('[{"value": "rome", "label": "Rome"}]')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  served.port = (server.address() as AddressInfo).port
  return served
}

test('22 A8: the options of a local plugin come only from its own port of this machine', async () => {
  const [own, other] = [await serveOption(), await serveOption()]
  const local = readHandshake(`1|1|tcp|127.0.0.1:${own.port}|grpc`)
  const options = (host: string, port: number, from = local) =>
    fetchOptions(parseEgressPolicy(undefined), from, `http://${host}:${port}/cities`, '')
  for (const host of ['127.0.0.1', 'localhost'])
    expect(await options(host, own.port), host).toEqual([{ value: 'rome', label: 'Rome' }])
  for (const host of ['127.0.0.1', 'localhost'])
    await expect(options(host, other.port), host).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(options('10.0.0.1', own.port)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(other.requestCount).toBe(0)
  const allowed = parseEgressPolicy(`127.0.0.1:${other.port}`)
  expect(await fetchOptions(allowed, local, `http://127.0.0.1:${other.port}/`, '')).toHaveLength(1)
})

withPython.describe('a local plugin in Python', () => {
  test('22 A8: its own port is the port that it reported, while its process runs', async () => {
    const { plugin, waitForState } = superviseProbe(protos)
    await waitForState('serving')
    expect(plugin.localAddress?.target).toMatchObject({ host: '127.0.0.1', port: expect.any(Number) })
    await plugin.stop()
    expect(plugin.localAddress).toBeUndefined()
  })
})
