import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Returns the path (`parts.0.text`) and a short message of each wrong field. A field can have several. */
export const problemsOf = (error: z.ZodError): [path: string, message: string][] =>
  error.issues.flatMap(issue => [...problemsIn(issue, [])])

/** Maps each wrong field (`parts.0.text`) to its first message. Servers and forms report errors like this. */
export const fieldErrors = (error: z.ZodError): Record<string, string> =>
  Object.fromEntries(problemsOf(error).toReversed())

/** Returns all wrong fields in one text: `url: a value is required; method: …`. Models read errors like this. */
export const problemText = (error: z.ZodError): string =>
  problemsOf(error)
    .map(([path, message]) => (path === '' ? message : `${path}: ${message}`))
    .join('; ')

function* problemsIn(issue: Issue, above: PropertyKey[]): Generator<[path: string, message: string]> {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield [[...path, key].join('.'), 'unknown field']
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    for (const inner of closestBranch(issue.errors)) yield* problemsIn(inner, path)
  } else {
    yield [path.join('.'), messageOf(issue)]
  }
}

/** Returns the errors of the union member that is closest to matching: the one with the fewest wrong fields. */
const closestBranch = (branches: Issue[][]) =>
  branches.toSorted((a, b) => wrongFieldCount(a) - wrongFieldCount(b))[0] ?? []

/** An issue about unknown fields can name several. */
const wrongFieldCount = (issues: Issue[]) =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)

function messageOf(issue: Issue): string {
  const { code, message } = issue
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'a value is required'
  // A schema can have a message of its own.
  if (code === 'too_small' && message.startsWith('Too small'))
    return sizeMessage(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
  if (code === 'too_big' && message.startsWith('Too big'))
    return sizeMessage(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
  return message.replace(/^Invalid (?:input|option): e/, 'e')
}

/** Units of values that have a size, for one and for several. */
const units: Record<string, readonly [one: string, several: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries']
}

/** Returns the error of a value that is too small or too large: "must be at most 3600". */
function sizeMessage(origin: string, bound: string, limit: number | bigint): string {
  const [one, several] = units[origin] ?? []
  if (one === undefined) return `must be ${bound} ${limit}`
  return `must have ${bound} ${limit} ${Number(limit) === 1 ? one : several}`
}
