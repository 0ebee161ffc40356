import { expect, test } from '#tests/browser/test.ts'
import { allow, signInAtAcme } from './acme.ts'
import { authorize, hasOpener, openInPopup } from './sample-acme.ts'

test('a popup passes through Acme and returns to this server with the code and its opener', async ({
  page,
  server
}) => {
  const popup = await openInPopup(page, authorize(server.url))
  await signInAtAcme(popup)
  await allow(popup)
  await popup.waitForURL(url => url.pathname === '/api/connections/callback')
  const { searchParams } = new URL(popup.url())
  expect(searchParams.get('code')).toBeTruthy()
  expect(searchParams.get('iss')).toBe(`${server.url}/samples/acme`)
  expect(await hasOpener(popup)).toBe(true)
})
