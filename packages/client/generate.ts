/**
 * Writes src/openapi.ts, the types of all operations of the API, and src/endpoints.ts, their methods and paths. Run
 * it with `npm run generate`.
 */
import { writeFile } from 'node:fs/promises'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { openapi } from '../../lib/http/openapi/openapi.ts'
import { operations } from '../../lib/http/operations/all.ts'

const notice = '// Made by `npm run generate -w @waystation/client`. A test fails if it is out of date.\n\n'

/**
 * The schemas of messages and chunks are open, because their parts belong to the AI SDK. src/message.ts has their
 * types.
 */
const handwritten: Record<string, string> = {
  '#/components/schemas/Message': 'MessageOf<Shapes>',
  '#/components/schemas/Chunk': 'ChunkOf<Shapes>'
}
const inject = `import type { ChunkOf, MessageOf } from './message.ts'

type Shapes = {
    metadata: components['schemas']['MessageMetadata']
    outOfBand: components['schemas']['OutOfBand']
    delivery: components['schemas']['MessageDelivery']
}
`

const document = () => JSON.parse(JSON.stringify(openapi(operations, 'http://localhost')))

/** Returns the text of src/openapi.ts. It does not depend on the server's URL. */
export async function generate(): Promise<string> {
  const types = await openapiTypes(document() as OpenAPI3, {
    defaultNonNullable: false,
    inject,
    transform: (_, { path = '' }) =>
      handwritten[path] === undefined ? undefined : ts.factory.createTypeReferenceNode(handwritten[path])
  })
  return notice + astToString(types)
}

type Described = { operationId: string; responses: Record<string, { content?: object }> }

/** Returns the text of src/endpoints.ts. */
export function generateEndpoints(): string {
  const paths: [string, Record<string, Described>][] = Object.entries(document().paths)
  const rows = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => {
      const isJson = Object.entries(responses).some(
        ([status, { content = {} }]) => status < '300' && 'application/json' in content
      )
      const columns = [method.toUpperCase(), path, ...(isJson ? [] : ['file'])].map(text => `'${text}'`)
      return `  ${operationId}: [${columns.join(', ')}]`
    })
  )
  const comment =
    '/** The method and path of each operation. The response of a `file` is not JSON. */\nexport const endpoints = {\n'
  return `${notice}${comment}${rows.join(',\n')}\n} as const\n`
}

if (import.meta.main) {
  await writeFile(new URL('src/openapi.ts', import.meta.url), await generate())
  await writeFile(new URL('src/endpoints.ts', import.meta.url), generateEndpoints())
}
