import {
  AcceptMcpTool,
  CheckedState,
  InMcpServer,
  InspectMcpServer,
  ListMcpServers,
  McpInspection,
  McpServerOffer,
  McpServers
} from '@waystation/protocol/connection/mcp.ts'
import { operation } from '#lib/http/operation.ts'

export const mcpOperations = {
  list: operation({
    id: 'listMcpServers',
    method: 'GET',
    path: '/api/mcp-servers',
    summary: 'List MCP servers and their last check, and missing servers',
    actor: 'user',
    scope: 'read',
    input: ListMcpServers,
    answer: McpServers
  }),
  get: operation({
    id: 'getMcpServer',
    method: 'GET',
    path: '/api/mcp-servers/{server}',
    summary: 'Get an MCP server and the tools that it last listed',
    actor: 'user',
    scope: 'read',
    input: InMcpServer,
    answer: McpServerOffer,
    errors: ['NOT_FOUND']
  }),
  check: operation({
    id: 'checkMcpServer',
    method: 'POST',
    path: '/api/mcp-servers/{server}/check',
    summary: "Check an MCP server now, with your account or the workspace's",
    actor: 'user',
    scope: 'edit',
    input: InMcpServer,
    answer: McpServerOffer.extend({ found: CheckedState }),
    errors: ['NOT_FOUND']
  }),
  inspect: operation({
    id: 'inspectMcpServer',
    method: 'POST',
    path: '/api/mcp-servers/inspect',
    summary:
      'Ask an MCP server at an address for its name and tools, without an account and without saving it',
    actor: 'user',
    scope: 'own',
    input: InspectMcpServer,
    answer: McpInspection
  }),
  accept: operation({
    id: 'acceptMcpTool',
    method: 'POST',
    path: '/api/mcp-servers/{server}/accept',
    summary: 'Accept the current definition of an MCP tool for every agent',
    actor: 'user',
    scope: 'edit',
    input: AcceptMcpTool,
    answer: McpServerOffer,
    errors: ['NOT_FOUND', 'CONFLICT']
  })
}
