import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test('the error page of a token route is no session token: nothing is sent to the server, and a retry asks again', async () => {
  const pages = ['Internal Server Error', '<!DOCTYPE html>\n<p>Error</p>', '', 'wst_good']
  const sent: (string | null)[] = []
  const client = createClient({
    url: 'https://waystation.example',
    token: async () => pages.shift() ?? '',
    tries: 1,
    fetch: async request => {
      sent.push(new Request(request).headers.get('authorization'))
      return Response.json({})
    }
  })
  for (let failures = 0; failures < 3; failures++)
    await expect(client.session('a').get()).rejects.toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      temporary: true,
      message: expect.stringContaining('"token"')
    })
  await client.session('a').get()
  expect(sent).toEqual(['Bearer wst_good'])
})
