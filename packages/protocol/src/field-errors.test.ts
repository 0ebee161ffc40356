import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors, problemText } from './field-errors.ts'

const Shape = z.object({
  ttlSeconds: z.number().min(1).max(3600),
  share: z.number().gt(0),
  name: z.string().min(2).max(5),
  tags: z.array(z.string()).max(1),
  port: z.number().max(10, 'Choose a lower port.')
})
const good = { ttlSeconds: 60, share: 0.5, name: 'Ada', tags: [], port: 1 }
const errorsOf = (change: object) => fieldErrors(Shape.safeParse({ ...good, ...change }).error as z.ZodError)

test('a value that is too small or too large gets its limit, with a unit where it has one', () => {
  expect(errorsOf({ ttlSeconds: 4000, share: 0, name: 'A', tags: ['a', 'b'] })).toEqual({
    ttlSeconds: 'must be at most 3600',
    share: 'must be more than 0',
    name: 'must have at least 2 characters',
    tags: 'must have at most 1 entry'
  })
  expect(errorsOf({ ttlSeconds: 0, name: 'Adalia' })).toEqual({
    ttlSeconds: 'must be at least 1',
    name: 'must have at most 5 characters'
  })
})

test('a message of the schema itself stays', () => {
  expect(errorsOf({ port: 11 })).toEqual({ port: 'Choose a lower port.' })
})

test('the errors of a union are those of the member with the fewest wrong fields', () => {
  const Tool = z.union([
    z.strictObject({ embed: z.string() }),
    z.strictObject({ name: z.string(), seconds: z.number().min(1), steps: z.number().min(0) })
  ])
  const { error } = Tool.safeParse({ name: 'a', seconds: 'soon', steps: 'many' })
  expect(fieldErrors(error as z.ZodError)).toEqual({
    seconds: 'expected number, received string',
    steps: 'expected number, received string'
  })
})

test('the text for a model names each wrong field', () => {
  const { error } = Shape.safeParse({ ...good, name: undefined, share: -1 })
  expect(problemText(error as z.ZodError)).toBe('share: must be more than 0; name: a value is required')
})
