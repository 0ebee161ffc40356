/**
 * The observers of a value. Call `announce` after each change. `start` runs when the first observer is added, and
 * the function that it returns runs when the last one is removed.
 */
export function createObservers<News extends unknown[] = []>(start?: () => () => void) {
  const observers = new Set<(...news: News) => void>()
  let stop: (() => void) | undefined
  return {
    /** Returns a function that removes the observer. */
    subscribe: (observer: (...news: News) => void) => {
      if (observers.size === 0) stop = start?.()
      observers.add(observer)
      return () => {
        if (observers.delete(observer) && observers.size === 0) stop?.()
      }
    },
    announce: (...news: News) => {
      for (const observer of observers) observer(...news)
    }
  }
}
