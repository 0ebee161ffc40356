import { formatSize } from '@waystation/protocol/session/stored-file.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { png } from '#tests/support/browser/png.ts'
import { openSession, typeMessage } from './open.ts'

const cat = { name: 'cat.png', mimeType: 'image/png', buffer: png(240, 120) }
const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Feed the cat.') }
const chips = (page: Page) => page.getByTestId('attachment')
const chip = (page: Page, name: string) => chips(page).filter({ hasText: name })
const send = (page: Page) => page.getByTestId('send-message')
const bubbles = (page: Page, by: 'user' | 'assistant') =>
  page.locator(`[data-hook=message-bubble][data-role=${by}]`)
/** Returns the natural width of the attached image, which is 0 until it has loaded. */
const width = (page: Page) =>
  page
    .getByTestId('attached-image')
    .getByRole('img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth)

/** Passes an image to the page as the clipboard or a drag does. */
const transfer = (page: Page, how: 'paste' | 'drop', on: string) =>
  page
    .locator(on)
    .first()
    .evaluate(
      (target, { how, bytes }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], `${how}.png`, { type: 'image/png' }))
        const eventInit = { bubbles: true, cancelable: true }
        if (how === 'paste')
          target.dispatchEvent(new ClipboardEvent('paste', { ...eventInit, clipboardData: data }))
        else
          for (const name of ['dragenter', 'dragover', 'drop'])
            target.dispatchEvent(new DragEvent(name, { ...eventInit, dataTransfer: data }))
      },
      { how, bytes: [...cat.buffer] }
    )

test.describe('a file in its own tab', () => {
  // The CSP of the file blocks the styles of Chromium's image viewer.
  test.use({ allowedError: /Applying inline style violates .* 'default-src 'none''/ })

  test('001-21: attachments: files are selected, sent with a message and shown in the transcript, even after a reload', async ({
    page,
    api,
    id
  }) => {
    await openSession(page, api, { agentId: 'guide', sessionId: id('chosen') })
    const chooser = page.waitForEvent('filechooser')
    await page.getByTestId('attach-files').focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([cat, notes])
    await expect(chips(page)).toHaveCount(2)
    for (const name of [cat.name, notes.name])
      await expect(chip(page, name)).toHaveAttribute('data-state', 'ready')
    await typeMessage(page, 'What are these?')
    await expect(chips(page)).toHaveCount(0)
    await expect(bubbles(page, 'assistant')).toContainText('240×120')
    for (const look of ['first', 'reloaded']) {
      if (look === 'reloaded') await page.reload()
      await expect(bubbles(page, 'user')).toContainText('What are these?')
      const image = page.getByTestId('attached-image').getByRole('img', { name: 'cat.png' })
      await expect(image).toBeVisible()
      await expect.poll(() => width(page)).toBe(240)
      await expect(page.getByTestId('attached-file')).toContainText(`text/plain, ${formatSize(13)}`)
    }
    const imageUrl = await page.getByTestId('attached-image').getByRole('img').getAttribute('src')
    const response = await page.request.get(imageUrl ?? '')
    expect(response.headers()).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff'
    })
    const download = page.waitForEvent('download')
    await page.getByTestId('attached-file').getByRole('link', { name: 'notes.txt' }).click()
    expect((await download).suggestedFilename()).toBe('notes.txt')
    const popup = page.waitForEvent('popup')
    await page.getByTestId('attached-image').getByRole('link').click()
    const tab = await popup
    await expect
      .poll(() => tab.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(240)
    await tab.close()
  })
})

test('001-21: attachments: images are pasted or dropped on the session, removed, or sent without text', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('pasted') })
  await transfer(page, 'paste', '[data-composer]')
  await expect(chip(page, 'paste.png')).toHaveAttribute('data-state', 'ready')
  await transfer(page, 'drop', '[data-hook=transcript]')
  await expect(chip(page, 'drop.png')).toHaveAttribute('data-state', 'ready')
  await expect(page.getByTestId('drop-here')).toHaveCount(0)
  await chip(page, 'paste.png').getByTestId('remove-attachment').click()
  await expect(chips(page)).toHaveCount(1)
  // A message can consist of files only.
  await send(page).click()
  await expect(page.getByTestId('attached-image')).toHaveCount(1)
  await expect(bubbles(page, 'assistant')).toContainText('drop.png')
})

test('001-21: attachments: while files are dragged over the session, it shows that they can be dropped', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('dragged') })
  const drag = (name: string) =>
    page
      .locator('[data-hook=transcript]')
      .first()
      .evaluate((target, name) => {
        const data = new DataTransfer()
        data.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }))
        target.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }))
      }, name)
  await drag('dragenter')
  await expect(page.getByTestId('drop-here')).toBeVisible()
  await drag('dragleave')
  await expect(page.getByTestId('drop-here')).toHaveCount(0)
})

test('001-21: attachments: a reload keeps uploaded files and marks interrupted ones, and a failed upload can be retried', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('reloaded') })
  const field = page.getByTestId('attach-input')
  await field.setInputFiles([cat])
  await expect(chip(page, cat.name)).toHaveAttribute('data-state', 'ready')
  const uploads = /\/files\?/
  await page.route(uploads, () => {})
  await field.setInputFiles([notes])
  await expect(chip(page, notes.name)).toHaveAttribute('data-state', 'uploading')
  await expect(send(page)).toBeDisabled()
  await page.reload()
  await expect(chip(page, cat.name)).toHaveAttribute('data-state', 'ready')
  await expect(chip(page, notes.name)).toHaveAttribute('data-state', 'failed')
  await expect(send(page)).toBeDisabled()
  await chip(page, notes.name).getByTestId('remove-attachment').click()
  await expect(send(page)).toBeEnabled()

  await page.unroute(uploads)
  await page.route(uploads, route => route.abort())
  await field.setInputFiles([notes])
  await expect(chip(page, notes.name)).toHaveAttribute('data-state', 'failed')
  await page.unroute(uploads)
  await chip(page, notes.name).getByTestId('retry-attachment').click()
  await expect(chip(page, notes.name)).toHaveAttribute('data-state', 'ready')
  await send(page).click()
  await expect(bubbles(page, 'assistant')).toContainText('notes.txt (text/plain, 13 bytes)')
})

test('001-21: attachments: a problem with a file is shown on it before it is sent', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('wrong') })
  await page.getByTestId('attach-input').setInputFiles([
    { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(11 * 1024 * 1024) },
    { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') }
  ])
  for (const name of ['large.bin', 'fake.png']) {
    await expect(chip(page, name)).toHaveAttribute('data-state', 'failed')
    await expect(chip(page, name).getByRole('status')).not.toBeEmpty()
  }
  await expect(chip(page, 'a.zip')).toHaveAttribute('data-state', 'ready')
  await expect(chip(page, 'a.zip').getByTestId('attachment-unseen')).toBeVisible()
  await expect(page.getByTestId('retry-attachment')).toHaveCount(0)
})

test('001-21: attachments: a queued message shows its files, even after a reload', async ({
  page,
  api,
  id
}) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('queued') })
  await typeMessage(page, 'count to 400')
  await expect(bubbles(page, 'assistant')).toContainText('3')
  await page.getByTestId('attach-input').setInputFiles([cat])
  await expect(chip(page, cat.name)).toHaveAttribute('data-state', 'ready')
  await page.locator('[data-composer]').fill('And this?')
  await send(page).click()
  const queue = page.getByTestId('queued-messages')
  await expect(queue).toContainText('And this? · cat.png')
  await page.reload()
  await expect(queue).toContainText('And this? · cat.png')
})
