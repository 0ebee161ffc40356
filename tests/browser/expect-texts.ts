import { expect, type Locator } from '@playwright/test'

/** The expected accessible name, description, text or part of the text of elements. */
type Expectations = [Locator, 'name' | 'description' | 'text' | 'part', string | RegExp][]

/** Compares each element with its expected text and reports all differences. */
export async function expectTexts(rows: Expectations): Promise<void> {
  for (const [locator, kind, text] of rows) {
    const expected = expect.soft(locator)
    if (kind === 'name') await expected.toHaveAccessibleName(text)
    else if (kind === 'description') await expected.toHaveAccessibleDescription(text)
    else if (kind === 'text') await expected.toHaveText(text)
    else await expected.toContainText(text)
  }
}
