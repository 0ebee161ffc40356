/** `npm run generate`: writes the types of every call into src/openapi.ts, from the operations as they are now. */
import { writeFile } from 'node:fs/promises'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openapi } from '../../lib/http/openapi/openapi.ts'
import { operations } from '../../lib/http/operations/all.ts'

const notice =
  '// Made by `npm run generate -w @waystation/client`; a test says when it is no longer true.\n\n'

/** The text of src/openapi.ts. Where the server is, is no part of it. */
export async function generate(): Promise<string> {
  const document = JSON.parse(JSON.stringify(openapi(operations, 'http://localhost')))
  return notice + astToString(await openapiTypes(document as OpenAPI3))
}

if (import.meta.main) await writeFile(new URL('src/openapi.ts', import.meta.url), await generate())
