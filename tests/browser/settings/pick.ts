import type { Locator } from '@playwright/test'
import { expect } from '#tests/browser/test.ts'

/** Selects an option by keyboard, or the typed text. */
export async function pick(field: Locator, text: string): Promise<void> {
  await field.press('Enter')
  await field.page().keyboard.type(text)
  await field.page().keyboard.press('Enter')
  await expect(field).toHaveText(text)
}
