import { parentPort } from 'node:worker_threads'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { patternError } from './pattern-error.ts'
import type { SchemaAnswer, SchemaQuestion } from './schemas.ts'

/**
 * Recently used schemas, compiled. A compiled schema needs 2 to 20 times the memory of its text, so the cache fits into
 * a third of the thread's 256 MiB.
 */
const validators = new LRUCache<string, ValidateFunction | { error: string }>({
  max: 500,
  maxSize: 4 * 1024 * 1024
})

/** Limits of error reports: the number of fields, and the characters of listed values and of a field's path. */
const limits = { fields: 50, values: 200, path: 300 }

/** How much a schema's defaults can add to a value, as measured by `sizeOf`. */
const maxAdded = 1024 * 1024

/** Replaces Ajv's regular expression engine. */
const linearRegExp = (pattern: string) => {
  const translated = RE2JS.translateRegExp(pattern)
  const error = patternError(translated, 0)
  if (error !== undefined) throw new Error(`pattern "${pattern.slice(0, 100)}": ${error}`)
  const compiled = RE2JS.compile(translated)
  // Ajv identifies patterns by their text.
  return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` }
}
linearRegExp.code = 'linear'

const options: Options = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  addUsedSchema: false,
  logger: false,
  code: { regExp: linearRegExp }
}

/** The older drafts that are still in use. All other schemas are read as 2020-12. */
const olderDraft = /draft-0[3-7]/

/** Validators of the schemas themselves, per draft. */
const drafts = { older: new Ajv(options), newer: new Ajv2020(options) }

function compile({ $schema, ...schema }: Record<string, unknown>): ValidateFunction | { error: string } {
  try {
    const isOlder = olderDraft.test(String($schema))
    // An Ajv extension that makes validation asynchronous.
    if (schema.$async !== undefined) return { error: 'is not a valid JSON Schema: $async is not supported' }
    const draft = drafts[isOlder ? 'older' : 'newer']
    if (!draft.validateSchema(schema)) {
      const [at, must] = Object.entries(fieldsOf(draft.errors ?? []))[0] ?? ['', 'is invalid']
      return {
        error: `is not a valid JSON Schema: ${at.length > 60 ? `…${at.slice(-60)}` : at} ${must.slice(0, 100)}`
      }
    }
    // Each schema has its own instance, so that it cannot refer to the `$id` of another one.
    const ownOptions = { ...options, meta: false, validateSchema: false } as const
    const ajv = isOlder ? new Ajv(ownOptions) : new Ajv2020(ownOptions)
    formatsPlugin.default(ajv)
    // A keyword of draft 4 that newer schemas use for other purposes.
    ajv.removeKeyword('id')
    return ajv.compile(schema)
  } catch (error) {
    return { error: `is not a JSON Schema that can check values (${errorOf(error)})` }
  }
}

function errorOf(error: unknown): string {
  if (error instanceof RangeError) return 'endless recursion'
  return (error as Error).message.slice(0, 200).toWellFormed()
}

function answerTo({ schema, digest, value }: SchemaQuestion): SchemaAnswer {
  const validator = validators.get(digest) ?? compile(schema)
  if (!validators.has(digest)) validators.set(digest, validator, { size: JSON.stringify(schema).length })
  if ('error' in validator) return { error: validator.error }
  if (value === undefined) return { error: null }
  // Ajv writes defaults into the value.
  const boxed = { is: value.is }
  const limit = sizeOf(value.is, Number.POSITIVE_INFINITY) + maxAdded
  try {
    if (validator(boxed.is) !== true) return { fields: fieldsOf(validator.errors ?? []) }
    return sizeOf(boxed.is, limit) < limit
      ? { value: boxed.is }
      : { fields: { '': 'is too large once the defaults of its schema are added' } }
  } catch (error) {
    return { error: `cannot be used (${errorOf(error)})` }
  }
}

/** Returns the approximate number of characters of a value's JSON. It stops counting at `max`. */
function sizeOf(value: unknown, max: number): number {
  let size = 0
  const stack = [value]
  while (stack.length > 0 && size < max) {
    const current = stack.pop()
    size += 4 + (typeof current === 'string' ? current.length : 0)
    if (Array.isArray(current)) for (const item of current) stack.push(item)
    else if (typeof current === 'object' && current !== null)
      for (const [name, item] of Object.entries(current)) {
        size += name.length
        stack.push(item)
      }
  }
  return size
}

/** Returns the errors by path. */
function fieldsOf(errors: readonly ErrorObject[]): Record<string, string> {
  const fields = new Map<string, string>()
  for (const error of errors) {
    const { at, must } = describe(error)
    const path = [...pathOf(error.instancePath), ...at].join('.').slice(0, limits.path).toWellFormed()
    if (!fields.has(path) && fields.size < limits.fields) fields.set(path, must)
  }
  return Object.fromEntries(fields)
}

const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function describe({ keyword, params, message = 'is invalid' }: ErrorObject): { at: string[]; must: string } {
  switch (keyword) {
    case 'required':
      return { at: [params.missingProperty], must: 'is missing' }
    case 'additionalProperties':
      return { at: [params.additionalProperty], must: 'is not a known field' }
    case 'enum':
      return {
        at: [],
        must: `must be one of ${params.allowedValues.map(preview).join(', ').slice(0, limits.values)}`
      }
    case 'const':
      return { at: [], must: `must be ${preview(params.allowedValue)}` }
    default:
      return { at: [], must: message }
  }
}

const preview = (value: unknown) => JSON.stringify(value).slice(0, limits.values).toWellFormed()

/** Answers one question at a time for `schemas.ts`. An error ends the thread, and the question gets no answer. */
parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answerTo(question)))
parentPort?.postMessage('ready')
