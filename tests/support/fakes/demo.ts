/**
 * What a test writes to the demo model, so that its phrases stand in one place. `lib/models/demo/read-phrase.ts` reads
 * them, and `lib/models/demo-model.test.ts` tests that it does.
 */
export const demo = {
  /** Asks the person to choose one of these. */
  asks: (...choices: [string, string, ...string[]]) => `ask me to choose between ${list(choices)}`,
  /** Asks the person a question whose answer is Yes or No. */
  asksWhether: (what: string) => `ask me whether ${what}`,
  /** The question that `asks` makes. */
  choice: 'Which one do you choose?'
}

const list = (names: string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
