#!/usr/bin/env node
/**
 * Starts Firefox for Playwright, with a relay for its WebDriver BiDi messages. Playwright 1.65 overrides media
 * features (`emulation.setMediaFeaturesOverride`) in each context, which Firefox 153 (Debian's firefox-esr) does
 * not support yet. The relay answers this command itself and forwards all others. Set `FIREFOX` to the browser's
 * path.
 */
import { spawn } from 'node:child_process'
import { WebSocket, WebSocketServer } from 'ws'

const unsupported = 'emulation.setMediaFeaturesOverride'
const announcement = /WebDriver BiDi listening on (ws:\/\/\S+)/
const options = { maxPayload: 1 << 30 }

const browser = spawn(process.env.FIREFOX ?? 'firefox', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe']
})
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
  process.on(signal, () => browser.kill(signal))
browser.on('exit', code => process.exit(code ?? 1))

let isRelaying = false
browser.stderr.setEncoding('utf8').on('data', text => {
  const [, address] = announcement.exec(text) ?? []
  if (isRelaying || address === undefined) return process.stderr.write(text)
  isRelaying = true
  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options }, () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (relay.address())
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`)
  })
  relay.on('connection', (client, request) => connect(client, `${address}${request.url}`))
})

/** @param {import('ws').WebSocket} client @param {string} address */
function connect(client, address) {
  const firefox = new WebSocket(address, options)
  const opened = new Promise(resolve => firefox.once('open', resolve))
  client.on('message', async data => {
    const message = String(data)
    const { id, method } = JSON.parse(message)
    await opened
    if (method === unsupported) client.send(JSON.stringify({ type: 'success', id, result: {} }))
    else firefox.send(message)
  })
  firefox.on('message', data => client.send(String(data)))
  firefox.on('close', () => client.close())
  firefox.on('error', () => client.close())
  client.on('close', () => firefox.close())
}
