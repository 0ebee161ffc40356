/** The observers of a value. Call `announce` after each change. */
export function createObservers() {
  const observers = new Set<() => void>()
  return {
    /** Returns a function that removes the observer. */
    subscribe: (observer: () => void) => {
      observers.add(observer)
      return () => void observers.delete(observer)
    },
    announce: () => {
      for (const observer of observers) observer()
    }
  }
}
