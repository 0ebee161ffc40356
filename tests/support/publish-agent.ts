import { expect, type Page } from '@playwright/test'

/** Publishes what stands in an agent's form, as a person does: after a look at what changes. */
export async function publishAgent(page: Page, revision: number): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Publish revision ${revision}` })
    .click()
  await expect(page.getByText(`Published as revision ${revision}.`)).toBeVisible()
}
