import { expect, test } from 'vitest'
import { drawMutants } from './draw.mjs'
import { apply, findMutants } from './find.mjs'

const source = `
export async function settle(ctx: Ctx, input: Input): Promise<void> {
  await check(ctx)
  log('info', 'checked')
  if (input.count > limit && input.open) return
  const rows = await ctx.sql\`
    select from calls where id = \${input.id} and (state = 'open' and kind is not null) and due < now() order by id\`
  await write({ rows, at: 5, quiet: true })
}
`

test('each mutant changes one line, parses, and differs from the others', () => {
  const texts = findMutants('settle.ts', source).map(mutant => apply(source, mutant))
  expect(new Set(texts).size).toBe(texts.length)
  const lines = source.split('\n')
  for (const text of texts) {
    const changed = text.split('\n').filter((line, index) => line !== lines[index])
    expect(changed).toHaveLength(1)
  }
})

test('the kinds of mutants are conditions, operators, statements, constants, properties and SQL clauses', () => {
  const changed = findMutants('settle.ts', source).map(mutant => {
    const line = apply(source, mutant).split('\n')[mutant.line - 1] ?? ''
    return `${mutant.kind}: ${line.trim()}`
  })
  const clauses = `select from calls where id = \${input.id} and (state = 'open' and kind is not null)`
  expect(changed).toEqual([
    'return at once: return; await check(ctx)',
    'drop a statement: ;',
    'negate a condition: if (!(input.count > limit && input.open)) return',
    'swap an operator: if (input.count >= limit && input.open) return',
    'swap an operator: if (input.count > limit || input.open) return',
    `drop a clause of SQL: ${clauses.replace(/ and .*/, ' ')} and due < now() order by id\``,
    `drop a clause of SQL: ${clauses.replace(' and kind is not null', ' ')} and due < now() order by id\``,
    `change a condition of SQL: ${clauses.replace('is not null', 'is null')} and due < now() order by id\``,
    `drop a clause of SQL: ${clauses}  order by id\``,
    `change a condition of SQL: ${clauses} and due <= now() order by id\``,
    'drop a statement: ;',
    'drop a property: await write({  at: 5, quiet: true })',
    'drop a property: await write({ rows,  quiet: true })',
    'change a number: await write({ rows, at: 6, quiet: true })',
    'drop a property: await write({ rows, at: 5,  })',
    'flip a boolean: await write({ rows, at: 5, quiet: false })'
  ])
})

test('the same seed draws the same mutants, from every area, without repeats', () => {
  const areas = { a: findMutants('a.ts', source), b: findMutants('b.ts', source) }
  const drawn = drawMutants(areas, 7, 20)
  expect(drawMutants(areas, 7, 20)).toEqual(drawn)
  expect(drawMutants(areas, 8, 20)).not.toEqual(drawn)
  expect(new Set(drawn.map(({ area }) => area))).toEqual(new Set(['a', 'b']))
  expect(new Set(drawn.map(mutant => JSON.stringify(mutant))).size).toBe(20)
})
