import { parentPort } from 'node:worker_threads'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { patternFault } from './pattern-fault.ts'
import type { SchemaAnswer, SchemaQuestion } from './schemas.ts'

/**
 * Schemas that were used lately, made into functions. A function holds 2 to 20 times the memory of its schema's text, so all
 * of them fit into a third of the thread's 256 MiB.
 */
const made = new LRUCache<string, ValidateFunction | { fault: string }>({
  max: 500,
  maxSize: 4 * 1024 * 1024
})

/** The most that is said of a misfit: fields, characters of a list of values, and of a field's path. */
const most = { fields: 50, values: 200, path: 300 }

/** How much the defaults of a schema may add to a value, counted as by `sizeOf`. */
const mostAdded = 1024 * 1024

/** Ajv's way to another regular expression engine. */
const linear = (pattern: string) => {
  const translated = RE2JS.translateRegExp(pattern)
  const fault = patternFault(translated, 0)
  if (fault !== undefined) throw new Error(`pattern "${pattern.slice(0, 100)}": ${fault}`)
  const compiled = RE2JS.compile(translated)
  // Ajv knows patterns by their text.
  return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` }
}
linear.code = 'linear'

const options: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  addUsedSchema: false,
  logger: false,
  code: { regExp: linear }
}

/** The older drafts that are still written; every other schema is read as 2020-12. */
const older = /draft-0[3-7]/

/** What schemas must be by themselves, for each way to read them. */
const drafts = { older: new Ajv(options), newer: new Ajv2020(options) }

function makeOf({ $schema, ...schema }: Record<string, unknown>): ValidateFunction | { fault: string } {
  try {
    const isOlder = older.test(String($schema))
    // Ajv's own word: it makes a function whose answer is a promise.
    if (schema.$async !== undefined) return { fault: 'is not a valid JSON Schema: $async is not supported' }
    const draft = drafts[isOlder ? 'older' : 'newer']
    if (!draft.validateSchema(schema)) {
      const [at, must] = Object.entries(fieldsOf(draft.errors ?? []))[0] ?? ['', 'is invalid']
      return {
        fault: `is not a valid JSON Schema: ${at.length > 60 ? `…${at.slice(-60)}` : at} ${must.slice(0, 100)}`
      }
    }
    // Each has an instance of its own, so that nothing of a schema stays: no `$id` is found by another one.
    const own = { ...options, meta: false, validateSchema: false } as const
    const ajv = isOlder ? new Ajv(own) : new Ajv2020(own)
    formatsPlugin.default(ajv)
    // A word of draft 4, which others write beside their own.
    ajv.removeKeyword('id')
    return ajv.compile(schema)
  } catch (error) {
    return { fault: `is not a JSON Schema that can check values (${faultOf(error)})` }
  }
}

function faultOf(error: unknown): string {
  if (error instanceof RangeError) return 'endless recursion'
  return (error as Error).message.slice(0, 200).toWellFormed()
}

function answerTo({ schema, digest, value }: SchemaQuestion): SchemaAnswer {
  const known = made.get(digest) ?? makeOf(schema)
  if (!made.has(digest)) made.set(digest, known, { size: JSON.stringify(schema).length })
  if ('fault' in known) return { fault: known.fault }
  if (value === undefined) return { fault: null }
  // Defaults are written into it.
  const given = { is: value.is }
  const limit = sizeOf(value.is, Number.POSITIVE_INFINITY) + mostAdded
  try {
    if (known(given.is) !== true) return { fields: fieldsOf(known.errors ?? []) }
    return sizeOf(given.is, limit) < limit
      ? { value: given.is }
      : { fields: { '': 'is too large once the defaults of its schema are added' } }
  } catch (error) {
    return { fault: `cannot be used (${faultOf(error)})` }
  }
}

/** About how many characters of JSON a value comes to. It stops counting at `most`. */
function sizeOf(value: unknown, most: number): number {
  let size = 0
  const left = [value]
  while (left.length > 0 && size < most) {
    const one = left.pop()
    size += 4 + (typeof one === 'string' ? one.length : 0)
    if (Array.isArray(one)) for (const item of one) left.push(item)
    else if (typeof one === 'object' && one !== null)
      for (const [name, item] of Object.entries(one)) {
        size += name.length
        left.push(item)
      }
  }
  return size
}

/** By the path of what does not fit, what it must be. */
function fieldsOf(errors: readonly ErrorObject[]): Record<string, string> {
  const fields = new Map<string, string>()
  for (const error of errors) {
    const { at, must } = wordsOf(error)
    const path = [...pathOf(error.instancePath), ...at].join('.').slice(0, most.path).toWellFormed()
    if (!fields.has(path) && fields.size < most.fields) fields.set(path, must)
  }
  return Object.fromEntries(fields)
}

const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function wordsOf({ keyword, params, message = 'is invalid' }: ErrorObject): { at: string[]; must: string } {
  switch (keyword) {
    case 'required':
      return { at: [params.missingProperty], must: 'is missing' }
    case 'additionalProperties':
      return { at: [params.additionalProperty], must: 'is not a known field' }
    case 'enum':
      return {
        at: [],
        must: `must be one of ${params.allowedValues.map(shown).join(', ').slice(0, most.values)}`
      }
    case 'const':
      return { at: [], must: `must be ${shown(params.allowedValue)}` }
    default:
      return { at: [], must: message }
  }
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, most.values).toWellFormed()

/** The thread of `schemas.ts`: one question at a time. What throws here ends the thread, and the question has no answer. */
parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answerTo(question)))
parentPort?.postMessage('ready')
