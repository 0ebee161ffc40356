/** A generator as a stream that is read as it is pulled; who cancels it ends the generator. */
export const readable = <T>(items: AsyncGenerator<T>): ReadableStream<T> =>
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
