/** Goes through all that a generator comes by, telling each, and answers with its outcome. */
export async function runThrough<State, Outcome>(
  states: AsyncGenerator<State, Outcome>,
  heed: (state: State) => void = () => undefined
): Promise<Outcome> {
  for (;;) {
    const next = await states.next()
    if (next.done === true) return next.value
    heed(next.value)
  }
}
