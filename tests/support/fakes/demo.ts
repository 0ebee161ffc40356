/**
 * The phrases that tests send to the demo model. `packages/demo-model/src/read-phrase.ts` parses them, and the test
 * next to it, `model.test.ts`, covers this.
 */
export const demo = {
  /** Makes the model ask the user to choose one of these. */
  askToChoose: (...choices: [string, string, ...string[]]) => `ask me to choose between ${list(choices)}`,
  /** Makes the model ask the user a question whose answer is Yes or No. */
  askWhether: (what: string) => `ask me whether ${what}`,
  /** The question that `askToChoose` causes. */
  choice: 'Which one do you choose?'
}

const list = (names: string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
