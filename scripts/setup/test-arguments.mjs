import { Fault } from './fault.mjs'

/**
 * What the command line asks for.
 *
 * @typedef {object} Wanted
 * @property {'all' | 'quick' | 'long'} mode
 * @property {string[]} words parts of the paths of test files
 * @property {string | undefined} title words of test titles
 * @property {string | undefined} shard `1/2`: the first half of the files
 * @property {number} repeat how often the files run
 * @property {string | undefined} changed the commit that the work tree is compared with
 */

/**
 * Reads the arguments of `npm test`. Throws a `Fault` for one it does not know.
 *
 * @param {string[]} args
 * @returns {Wanted}
 */
export function readArguments(args) {
  /** @type {Wanted} */
  const wanted = {
    mode: 'all',
    words: [],
    title: undefined,
    shard: undefined,
    repeat: 1,
    changed: undefined
  }
  const rest = args.flatMap(arg => (/^--\w+=/.test(arg) ? arg.split(/=(.*)/s).slice(0, 2) : [arg]))
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift())
    switch (arg) {
      case '--quick':
      case '--long':
        wanted.mode = arg === '--quick' ? 'quick' : 'long'
        break
      case '-t':
        wanted.title = valueAfter(arg, rest)
        break
      case '--shard':
        wanted.shard = valueAfter(arg, rest)
        if (!isShard(wanted.shard)) throw new Fault('--shard takes a part and a total, such as 1/2.')
        break
      case '--repeat':
        wanted.repeat = Number(valueAfter(arg, rest))
        if (!Number.isInteger(wanted.repeat) || wanted.repeat < 1)
          throw new Fault('--repeat takes a whole number of at least 1.')
        break
      case '--changed':
        wanted.changed = rest[0] !== undefined && !rest[0].startsWith('-') ? rest.shift() : 'HEAD'
        break
      default:
        if (arg.startsWith('-'))
          throw new Fault(
            `npm test has no option ${arg}. It accepts words, -t, --shard, --repeat, --changed, --quick and --long.`
          )
        wanted.words.push(arg)
    }
  return wanted
}

/** @param {string} name @param {string[]} rest */
function valueAfter(name, rest) {
  const value = rest.shift()
  if (value === undefined) throw new Fault(`${name} needs a value.`)
  return value
}

/** @param {string} shard */
function isShard(shard) {
  const [, part = 0, total = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  return part >= 1 && part <= total
}
