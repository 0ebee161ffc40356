import { operation } from '#lib/http/operation.ts'
import {
  AcceptMcpTool,
  CheckedState,
  InMcpServer,
  ListMcpServers,
  McpServerOffer,
  McpServers
} from '#lib/protocol/mcp.ts'

export const mcpOperations = {
  list: operation({
    id: 'listMcpServers',
    method: 'GET',
    path: '/api/mcp-servers',
    summary: 'The MCP servers that agents can use, how each was found last, and the names that are none',
    actor: 'user',
    scope: 'read',
    input: ListMcpServers,
    answer: McpServers
  }),
  get: operation({
    id: 'getMcpServer',
    method: 'GET',
    path: '/api/mcp-servers/{server}',
    summary: 'An MCP server with the tools that it offered last, as they are accepted here',
    actor: 'user',
    scope: 'read',
    input: InMcpServer,
    answer: McpServerOffer,
    refusals: ['NOT_FOUND']
  }),
  check: operation({
    id: 'checkMcpServer',
    method: 'POST',
    path: '/api/mcp-servers/{server}/check',
    summary: 'Asks an MCP server now what it offers, with your own account there or the workspace’s',
    actor: 'user',
    scope: 'edit',
    input: InMcpServer,
    answer: McpServerOffer.extend({ found: CheckedState }),
    refusals: ['NOT_FOUND']
  }),
  accept: operation({
    id: 'acceptMcpTool',
    method: 'POST',
    path: '/api/mcp-servers/{server}/accept',
    summary: 'Accepts, for every agent, the definition that a tool of a server is offered with by now',
    actor: 'user',
    scope: 'edit',
    input: AcceptMcpTool,
    answer: McpServerOffer,
    refusals: ['NOT_FOUND', 'CONFLICT']
  })
}
