/**
 * The phrases that tests send to the demo model. `packages/demo-model/src/read-phrase.ts` reads them, and `model.test.ts`
 * beside it tests that.
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
