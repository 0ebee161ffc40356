/**
 * Numbered steps with the time they took: "2/6 Installing… 41 s". On a terminal the seconds count up in place.
 *
 * @param {number} total
 */
export function countSteps(total) {
  let number = 0
  /** @type {(word?: string) => void} */
  let end = () => {}
  return {
    /**
     * Begins the next step, and with that ends the one before.
     * @param {string} title
     */
    begin(title) {
      end()
      end = show(`${++number}/${total} ${title}…`)
    },
    /**
     * Ends the step, with a word in place of its time if there is one.
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
  const began = performance.now()
  const seconds = () =>
    `${((performance.now() - began) / 1000).toFixed(performance.now() - began < 9950 ? 1 : 0)} s`
  process.stdout.write(line)
  const redraw = () => process.stdout.write(`\r${line} ${seconds()}`)
  const ticking = process.stdout.isTTY ? setInterval(redraw, 1000) : undefined
  return (/** @type {string | undefined} */ word) => {
    clearInterval(ticking)
    process.stdout.write(`${process.stdout.isTTY ? `\r${line}` : ''} ${word ?? seconds()}\n`)
  }
}
