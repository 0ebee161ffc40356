/** Converts a generator to a stream that reads one item per pull. Canceling the stream ends the generator. */
export const toReadableStream = <T>(items: AsyncGenerator<T>): ReadableStream<T> =>
  new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await items.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await items.return(undefined)
    }
  })
