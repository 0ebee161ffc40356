import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { expect, test } from '#tests/browser/test.ts'
import { openHandoff, openHandoffDialog, typeMessage } from './open.ts'

test('003-11: a user hands off a session to another agent, every tab shows the active agent, and the user hands it back', async ({
  page,
  context,
  api,
  id
}) => {
  const backOffice = await openHandoff(page, api, id)
  const other = await context.newPage()
  await other.goto(page.url())

  await typeMessage(page, `use handoff_to_${backOffice} {"reason": "It is about a file."}`)
  const row = page.getByTestId('handoff').first()
  for (const text of ['Back office', 'Front desk', 'It is about a file.'])
    await expect(row).toContainText(text)
  for (const tab of [page, other]) {
    await expect(tab.getByTestId('agent-name')).toHaveText(/Front desk.*Back office/)
    await expect(tab.locator('[data-composer]')).toHaveAccessibleName(/Back office/)
  }

  await page.reload()
  await expect(page.locator('[data-composer]')).toHaveAccessibleName(/Back office/)
  const dialog = await openHandoffDialog(page)
  await dialog.getByTestId('cancel-handoff').click()
  await expect(dialog).toBeHidden()
  await openHandoffDialog(page)
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  await expect(dialog.getByTestId('start-handoff')).toBeDisabled()
  await dialog.getByRole('radio', { name: /Front desk/ }).check()
  await expect(dialog.getByRole('radio', { name: /Back office/ })).toHaveCount(0)
  await dialog.getByRole('textbox').fill('Nothing to file.')
  await dialog.getByTestId('start-handoff').click()
  await expect(dialog).toBeHidden()
  await expect(other.locator('[data-composer]')).toHaveAccessibleName(/Front desk/)
  await expect(page.locator('[data-composer]')).toHaveAccessibleName(/Front desk/)
  await typeMessage(page, 'hello')
  await expect(page.getByTestId('handoff').last()).toContainText('Nothing to file.')
  await expect(page.getByTestId('handoff').last()).toContainText(localOwner.name)
})
