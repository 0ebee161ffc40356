import { expect, test } from 'vitest'
import { localLine } from './ready.ts'

test('the command for another sign-in link names the port of the server, unless it is the default one', () => {
  expect(localLine('http://localhost:3000/local/x')).toContain('"npm run link"')
  expect(localLine('http://localhost:3100/local/x')).toContain('"PORT=3100 npm run link"')
})
