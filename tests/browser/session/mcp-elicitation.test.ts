import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { dockCard, openQuestion } from './open.ts'
import { expect, fields, questions, test } from './test.ts'

test('001-19: a form from a server works by keyboard, shows field errors and survives a reload, and the next question has its own card', async ({
  page,
  api,
  id
}) => {
  const card = await openQuestion(page, api, id('flights'))
  await expect(card.getByRole('heading', { name: questions[0] })).toBeVisible()
  await expect(card.getByTestId('call-reason')).toContainText('flights__go')
  // The fields are in the order of the server.
  await expect(card.getByTestId('field-name')).toHaveText(fields)

  await card.getByTestId('send-answer').click()
  await expect(card.getByLabel('Name')).toBeFocused()
  await expect(card.getByTestId('field-fault')).toHaveCount(2)
  await page.keyboard.type('A')
  await card.getByLabel('Seat').selectOption('Window')
  await card.getByLabel('E-mail').fill('ada@example.com')
  await card.getByLabel('Bags').fill('7')
  await card.getByLabel('Wi-Fi').check()
  await page.reload()
  await expect(card.getByLabel('Bags')).toHaveValue('7')
  await expect(card.getByLabel('Wi-Fi')).toBeChecked()
  await card.getByLabel('Bags').press('ControlOrMeta+Enter')
  await expect(card.getByLabel('Bags')).toHaveAttribute('aria-invalid', 'true')
  await expect(card.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(card.getByTestId('refused-answer')).toBeVisible()
  await card.getByLabel('Name').fill('Ada Lovelace')
  await card.getByLabel('Bags').fill('1')
  await card.getByLabel('Bags').press('ControlOrMeta+Enter')

  await expect(card.getByRole('heading', { name: questions[1] })).toBeVisible()
  const sure = card.getByLabel('Yes, book it')
  await expect(sure).toBeEnabled()
  await sure.check()
  await card.getByTestId('send-answer').click()
  await expect(card).toHaveCount(0)
  const row = page.locator('[data-row] [data-toggle]').filter({ hasText: 'flights__go' })
  await expect(row).toContainText(localOwner.name)
  await row.click()
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
})

test('001-19: a question from a server is declined with a reason in one of two tabs, and the other tab shows that', async ({
  page,
  context,
  api,
  id
}) => {
  await openQuestion(page, api, id('flights'))
  const other = await context.newPage()
  await other.goto(page.url())
  const cards = [page, other].map(dockCard)
  for (const card of cards) await expect(card.getByTestId('decline-call')).toBeVisible()
  await cards[0]?.getByTestId('decline-call').click()
  await page.keyboard.type('Too dear')
  await cards[0]?.getByTestId('confirm-decline').click()
  for (const card of cards) await expect(card.getByRole('heading', { name: questions[1] })).toBeVisible()
})
