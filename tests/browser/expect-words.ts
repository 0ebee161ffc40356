import { expect, type Locator } from '@playwright/test'

/** What a reader hears (`name`, `description`) or reads (`text`, `part` of it) in each of these places. */
type Words = [Locator, 'name' | 'description' | 'text' | 'part', string | RegExp][]

/** Compares each place with its words; all that differ are reported. */
export async function expectWords(rows: Words): Promise<void> {
  for (const [place, kind, words] of rows) {
    const expected = expect.soft(place)
    if (kind === 'name') await expected.toHaveAccessibleName(words)
    else if (kind === 'description') await expected.toHaveAccessibleDescription(words)
    else if (kind === 'text') await expected.toHaveText(words)
    else await expected.toContainText(words)
  }
}
