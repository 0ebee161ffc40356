import { readDefinition } from '#lib/features/http-tools/read-definition.ts'
import { testTool } from '#lib/features/http-tools/test-tool.ts'
import { bind } from '#lib/http/endpoint.ts'
import { httpToolOperations } from '#lib/http/operations/http-tools.ts'
import { route } from '#lib/http/route.ts'

export const httpToolEndpoints = bind(httpToolOperations, {
  read: operation => route(operation, readDefinition),
  test: operation => route(operation, testTool)
})
