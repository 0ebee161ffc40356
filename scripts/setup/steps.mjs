/**
 * Prints numbered steps with their duration: "2/6 Installing… 41 s". On a terminal, the seconds update in place.
 *
 * @param {number} total
 */
export function countSteps(total) {
  let number = 0
  /** @type {(word?: string) => void} */
  let end = () => {}
  return {
    /**
     * Starts the next step and ends the current one.
     *
     * @param {string} title
     */
    begin(title) {
      end()
      end = show(`${++number}/${total} ${title}…`)
    },
    /**
     * Ends the current step. Prints `word` instead of the duration if it is given.
     *
     * @param {string} [word]
     */
    end(word) {
      end(word)
      end = () => {}
    }
  }
}

/** @param {string} line */
function show(line) {
  const startedAt = performance.now()
  const seconds = () =>
    `${((performance.now() - startedAt) / 1000).toFixed(performance.now() - startedAt < 9950 ? 1 : 0)} s`
  process.stdout.write(line)
  const redraw = () => process.stdout.write(`\r${line} ${seconds()}`)
  const timer = process.stdout.isTTY ? setInterval(redraw, 1000) : undefined
  return (/** @type {string | undefined} */ word) => {
    clearInterval(timer)
    process.stdout.write(`${process.stdout.isTTY ? `\r${line}` : ''} ${word ?? seconds()}\n`)
  }
}
