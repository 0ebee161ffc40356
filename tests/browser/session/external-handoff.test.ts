import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { createExternal, openHandoffDialog, openSession, typeMessage } from './open.ts'
import { expect, test } from './test.ts'

const transcript = '[data-hook=transcript]'

test('003-11: a user hands a session off to an external agent, which receives the messages and replies, and takes it back', async ({
  page,
  api,
  external,
  id
}) => {
  const [desk, acme] = [id('desk'), id('acme')]
  await createExternal(api, acme, external)
  await api('POST', '/api/agents', { agentId: desk, displayName: 'Front desk', chat: {} })
  await openSession(page, api, { agentId: desk, sessionId: id('order'), title: 'An order' })
  const dialog = await openHandoffDialog(page)
  const description = await dialog.textContent()
  await dialog.locator(`[value="${acme}"]`).check()
  await expect.poll(() => dialog.textContent()).not.toBe(description)
  await dialog.getByRole('textbox').fill('The invoice is wrong.')
  await dialog.getByTestId('start-handoff').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('handoff')).toContainText('The invoice is wrong.')
  await expect.poll(() => external.received[0]?.message.type).toBe('handoff')
  await expect(page.getByTestId('message-delivery')).toHaveAttribute('data-state', 'sent')

  await typeMessage(page, 'Are you there?')
  await expect.poll(() => external.received[1]?.message.text).toBe('Are you there?')
  await external.reply('Yes, **here** I am.')
  await expect(page.locator(transcript).locator('strong', { hasText: 'here' })).toBeVisible()
  await expectAccessible(page)

  await openHandoffDialog(page)
  await dialog.locator(`[value="${desk}"]`).check()
  await dialog.getByTestId('start-handoff').click()
  await expect(page.locator('[data-composer]')).toHaveAccessibleName(/Front desk/)
  await typeMessage(page, 'say Back again.')
  await expect(page.locator(transcript)).toContainText('Back again.')
  expect((await external.reply('Too late.')).status).toBe(404)
})

test.describe('an external agent with a checkUrl', () => {
  // The external agent fails once.
  test.use({ allowedError: /503/ })

  test('000-22: the dialog lists the conversations of an external agent, warns about an unknown ID, and shows errors', async ({
    page,
    api,
    id
  }) => {
    const [acme, order] = [id('acme'), id('order')]
    let status = 200
    const known = [
      { sessionId: order, title: 'Two crates of lamp oil', updatedAt: '2026-03-05T14:02:00Z' },
      { sessionId: id('other') }
    ]
    const server = createServer(async (request, response) => {
      const { type, sessionId, query = '' } = JSON.parse(await text(request))
      const sessions = known.filter(({ title = '' }) => title.includes(query))
      const { title } = known.find(each => each.sessionId === sessionId) ?? {}
      const answer = type === 'check' ? { exists: sessionId === order, title } : { sessions }
      response.writeHead(status).end(JSON.stringify(answer))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await api('POST', '/api/agents', {
      agentId: acme,
      displayName: 'Acme office',
      type: 'external',
      external: { inputUrl: url, checkUrl: url }
    })
    await page.goto(`/agents/${acme}`)
    await page.getByTestId('new-session').click()
    const dialog = page.getByRole('dialog')
    const list = dialog.getByTestId('known-sessions')
    await expect(list.getByRole('radio')).toHaveCount(2)
    const field = dialog.getByRole('textbox')
    await field.fill(id('unknown'))
    const check = dialog.getByTestId('id-check')
    await expect(check).not.toBeEmpty()
    const warning = await check.textContent()
    await expect(dialog.getByTestId('create-session')).toBeEnabled()
    await expectAccessible(page)

    await list.getByRole('searchbox').fill('nothing')
    await expect(list.getByRole('radio')).toHaveCount(0)
    await list.getByRole('searchbox').fill('lamp')
    await expect(list.getByRole('radio')).toHaveCount(1)
    status = 500
    await list.getByRole('searchbox').fill('oil')
    await expect(list.getByRole('alert')).toContainText('500')
    status = 200
    await list.getByRole('alert').getByRole('button').click()
    await list.getByRole('radio').check()
    await expect(field).toHaveValue(order)
    await expect(check).not.toHaveText(warning ?? '')
    await dialog.getByTestId('create-session').click()
    await page.waitForURL(`/sessions/${order}`)
    await expect(page).toHaveTitle(/Two crates of lamp oil/)
    server.close()
  })
})
