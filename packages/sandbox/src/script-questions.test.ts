import { duplexPair } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveScriptRequests } from './script-questions.ts'

test('a script that does not read its answers does not fill the server’s memory, and gets all of them later', async () => {
  const [server, script] = duplexPair()
  serveScriptRequests(
    server,
    async () => 'found',
    () => undefined
  )
  const count = 20_000
  let id = 0
  for (let sent = 0; sent < 20; sent++)
    script.write(Array.from({ length: count / 20 }, () => `{"id":${++id}}\n`).join(''))
  for (let turns = 0; turns < 100; turns++) await nextTurn()
  expect(server.writableLength).toBeLessThan(500_000)

  let answers = ''
  script.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  await expect.poll(() => answers.split('\n').length - 1).toBe(count)
  expect(answers.split('\n').filter(line => line.includes('error'))).toHaveLength(count - 200)
})
