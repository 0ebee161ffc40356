import { HttpToolDefinition, ReadHttpTool, TestHttpTool } from '@waystation/protocol/agent/http-tool.ts'
import { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { operation } from '#lib/http/operation.ts'

export const httpToolOperations = {
  read: operation({
    id: 'readHttpTool',
    method: 'POST',
    path: '/api/tools/definition',
    summary: 'Ask an HTTP tool for its definition',
    actor: 'user',
    scope: 'edit',
    input: ReadHttpTool,
    answer: HttpToolDefinition,
    errors: ['CONFLICT']
  }),
  test: operation({
    id: 'testHttpTool',
    method: 'POST',
    path: '/api/tools/test',
    summary: 'Send a signed test call to an HTTP tool, and return its response',
    actor: 'user',
    scope: 'edit',
    input: TestHttpTool,
    answer: DeliveryAttempt
  })
}
