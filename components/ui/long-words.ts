/** From this length on, a browser notices the time that it needs to break a word into lines. */
const longWord = 2_000

/**
 * Returns the class for a text with a very long word. With kerning, Chromium shapes the rest of the word again for each
 * line: 60,000 equal letters block the page for seconds.
 */
export const kerningOf = (text: string): string | undefined =>
  text.length > longWord && text.split(/\s/).some(word => word.length > longWord)
    ? '[font-kerning:none]'
    : undefined
