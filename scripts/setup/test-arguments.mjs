import { Fault } from './fault.mjs'

/**
 * The arguments of `npm test`.
 *
 * @typedef {object} Wanted
 * @property {'all' | 'quick' | 'long'} mode
 * @property {string[]} words parts of the paths of test files
 * @property {string | undefined} title part of the test titles
 * @property {string | undefined} shard `1/2` is the first half of the files
 * @property {number} repeat the number of runs
 * @property {string | undefined} changed the commit to compare the work tree with
 */

/**
 * Parses the arguments of `npm test`. Throws a `Fault` for an unknown or invalid one.
 *
 * @param {string[]} args
 * @returns {Wanted}
 */
export function readArguments(args) {
  /** @type {Wanted} */
  const options = {
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
        options.mode = arg === '--quick' ? 'quick' : 'long'
        break
      case '-t':
        options.title = valueAfter(arg, rest)
        break
      case '--shard':
        options.shard = valueAfter(arg, rest)
        if (!isValidShard(options.shard)) throw new Fault('--shard takes a part and a total, such as 1/2.')
        break
      case '--repeat':
        options.repeat = Number(valueAfter(arg, rest))
        if (!Number.isInteger(options.repeat) || options.repeat < 1)
          throw new Fault('--repeat takes a whole number of at least 1.')
        break
      case '--changed':
        options.changed = rest[0] !== undefined && !rest[0].startsWith('-') ? rest.shift() : 'HEAD'
        break
      default:
        if (arg.startsWith('-'))
          throw new Fault(
            `npm test has no option ${arg}. It accepts words, -t, --shard, --repeat, --changed, --quick and --long.`
          )
        options.words.push(arg)
    }
  return options
}

/** @param {string} name @param {string[]} rest */
function valueAfter(name, rest) {
  const value = rest.shift()
  if (value === undefined) throw new Fault(`${name} needs a value.`)
  return value
}

/** @param {string} shard */
function isValidShard(shard) {
  const [, part = 0, total = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  return part >= 1 && part <= total
}
