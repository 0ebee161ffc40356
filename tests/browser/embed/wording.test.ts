import { expect, test as signedIn } from '#tests/browser/test.ts'
import { askForAccount, askToFetch, face, openWindow, test, typeMessage } from './shop.ts'

signedIn('the form of allowed origins says how an origin is written', async ({ page }) => {
  await page.goto('/settings/embedding')
  const origins = page.getByLabel('Allowed origins')
  const save = page.getByRole('button', { name: 'Save changes' })
  await origins.fill('https://Friend.example/')
  await save.click()
  await expect(origins).toHaveAccessibleDescription(
    /Friend\.example\/\): must be written as https:\/\/friend\.example\./
  )
  await origins.fill(`https://friend.example\nhttps://shop-${Date.now()}.example`)
  await save.click()
  await expect(page.getByText('Saved.')).toBeVisible()
})

test('labels of an embedded session: the composer names the agent, and the card says who can answer', async ({
  page,
  server,
  openShop
}) => {
  const { origin } = await openShop('read,send')
  await page.goto(origin)
  await expect(page.getByLabel('Message to Support')).toBeVisible()
  await expect(page.getByTestId('attach-files')).toHaveAccessibleName('Attach files')
  await typeMessage(page, 'say first')
  await expect(face(page, 'idle')).toHaveText('Ready')
  await expect(page.getByTestId('transcript')).toHaveAccessibleName('Transcript')
  await askToFetch(page, server.url, 'not-mine')
  await expect(face(page, 'not-mine')).toHaveText('Waiting for our support team')
  await expect(
    page.getByText('You can view this request, but only our support team can answer it.')
  ).toBeVisible()
})

test('texts of the window that asks the end user before it opens the service', async ({
  page,
  api,
  openShop
}) => {
  const { origin, sessionId, shopper } = await openShop()
  await page.goto(origin)
  await askForAccount(page, api, sessionId)
  const popup = await openWindow(page)
  await expect(popup.getByRole('heading')).toHaveText('Connect Acme?')
  await expect(popup.getByText(`${shopper} asks you to connect your Acme account`)).toBeVisible()
  await expect(popup.getByRole('link')).toHaveText('Continue to Acme')
})
