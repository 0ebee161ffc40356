import { expect, type Page } from '@playwright/test'

/** Publishes the content of an agent's form like a user: reviews the changes first. */
export async function publishAgent(page: Page, revision: number): Promise<void> {
  await page.getByTestId('review-draft').click()
  await page.getByTestId('publish-revision').click()
  await isPublished(page, revision)
}

/** Waits until the page of an agent shows a new revision. */
export async function isPublished(page: Page, revision: number): Promise<void> {
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByTestId('revisions').locator('li').first()).toHaveAttribute(
    'data-revision',
    String(revision)
  )
  await expect(page.getByTestId('review-draft')).toBeDisabled()
}
