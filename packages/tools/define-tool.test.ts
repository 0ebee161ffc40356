import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from './index.js'

test('003-19: the schemas of a tool give execute its types, and defineTool changes nothing', () => {
  const definition = {
    name: 'a',
    description: 'For tests.',
    inputSchema: z.object({ at: z.string().transform(text => new Date(text)), note: z.string().optional() })
  }
  const tool = defineTool({
    ...definition,
    outputSchema: z.object({ left: z.coerce.number<string>() }),
    execute(input, context) {
      expectTypeOf(input).toEqualTypeOf<{ at: Date; note?: string | undefined }>()
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(context.fetch).returns.resolves.toEqualTypeOf<Response>()
      return { left: '1' }
    }
  })
  expect(tool).toMatchObject(definition)
  expectTypeOf(tool.execute).returns.extract<Promise<unknown>>().resolves.toEqualTypeOf<{ left: string }>()
  // Without outputSchema, any value is a result.
  defineTool({ ...definition, execute: () => [1] })
  defineTool({ ...definition, where: 'browser' })
  // @ts-expect-error The result does not match outputSchema.
  defineTool({ ...definition, outputSchema: z.string(), execute: () => 1 })
  // @ts-expect-error A browser tool runs no code of the server.
  defineTool({ ...definition, where: 'browser', execute: () => 1 })
  // @ts-expect-error There is no such place for a tool.
  defineTool({ ...definition, where: 'external' })
})
