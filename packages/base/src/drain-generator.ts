/** Passes all values of a generator to a callback, and returns the generator's result. */
export async function drainGenerator<State, Outcome>(
  states: AsyncGenerator<State, Outcome>,
  onState: (state: State) => void = () => undefined
): Promise<Outcome> {
  for (;;) {
    const next = await states.next()
    if (next.done === true) return next.value
    onState(next.value)
  }
}
