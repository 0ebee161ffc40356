import { expectTexts } from '#tests/browser/expect-texts.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { test } from './answer-page.ts'

test('texts of the answer page', async ({ page, links }) => {
  const heading = page.getByRole('heading', { level: 1 })
  const question = await links.ask('tea', demo.askToChoose('tea', 'coffee'))
  await page.goto(question)
  await expectTexts([
    [page.locator('button[value="yes"]'), 'name', 'Send answer'],
    [page.locator('button[value="no"]'), 'name', 'Decline'],
    [page.locator('[name="reason"]'), 'name', /^Reason for declining/]
  ])
  await page.getByRole('radio').first().check()
  await page.locator('button[value="yes"]').click()
  await expectTexts([
    [heading, 'text', 'Answered'],
    [page.getByRole('status'), 'text', 'Your answer was accepted.']
  ])

  const approval = await links.ask('race', 'fetch https://example.com')
  const secondPage = await page.context().newPage()
  await secondPage.goto(approval)
  await page.goto(approval)
  await expectTexts([
    [page.locator('button[value="yes"]'), 'name', 'Fetch page'],
    [page.locator('[name="reason"]'), 'name', /^Reason/]
  ])
  await page.locator('button[value="no"]').click()
  await secondPage.locator('button[value="yes"]').click()
  await expectTexts([
    [heading, 'text', 'Declined'],
    [
      secondPage.getByRole('status'),
      'part',
      'Your answer was not used, because the request was already closed.'
    ]
  ])
})
