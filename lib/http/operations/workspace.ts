import { TestToolRules, ToolRulesTest } from '@waystation/protocol/call/tool-rules.ts'
import { GetWorkspace, UpdateWorkspace, Workspace } from '@waystation/protocol/workspace/workspace.ts'
import {
  CreateWorkspace,
  DeletedWorkspace,
  DeleteWorkspace,
  ListWorkspaces,
  Workspaces
} from '@waystation/protocol/workspace/workspaces.ts'
import { CreatedWorkspace } from '#lib/auth/workspaces/create-workspace.ts'
import { RotatedLinkSecret, RotateLinkSecret } from '#lib/auth/workspaces/rotate-link-secret.ts'
import { operation } from '#lib/http/operation.ts'

export const workspaceOperations = {
  get: operation({
    id: 'getWorkspace',
    method: 'GET',
    path: '/api/workspace',
    summary: "Get the workspace's settings and spending",
    actor: 'user',
    scope: 'own',
    input: GetWorkspace,
    answer: Workspace
  }),
  update: operation({
    id: 'updateWorkspace',
    method: 'PUT',
    path: '/api/workspace',
    summary: "Update the workspace's settings; omitted settings stay unchanged",
    actor: 'user',
    scope: 'own',
    input: UpdateWorkspace,
    answer: Workspace
  }),
  list: operation({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/api/workspaces',
    summary: 'List the workspaces that the caller can enter',
    actor: 'user',
    scope: 'read',
    input: ListWorkspaces,
    answer: Workspaces
  }),
  create: operation({
    id: 'createWorkspace',
    method: 'POST',
    path: '/api/workspaces',
    summary: 'Create a workspace; the caller becomes its owner',
    actor: 'user',
    scope: 'own',
    input: CreateWorkspace,
    answer: CreatedWorkspace,
    status: 201
  }),
  remove: operation({
    id: 'deleteWorkspace',
    method: 'DELETE',
    path: '/api/workspace',
    summary: 'Delete the workspace with all its data; `name` confirms it',
    actor: 'user',
    scope: 'own',
    input: DeleteWorkspace,
    answer: DeletedWorkspace,
    errors: ['CONFLICT']
  }),
  testToolRules: operation({
    id: 'testToolRules',
    method: 'POST',
    path: '/api/workspace/tool-rules/test',
    summary: 'Evaluate tool rules for a call, without saving the rules or running the call',
    actor: 'user',
    scope: 'own',
    input: TestToolRules,
    answer: ToolRulesTest
  }),
  rotateLinkSecret: operation({
    id: 'rotateLinkSecret',
    method: 'POST',
    path: '/api/workspace/link-secret/rotate',
    summary: 'Replace the link secret; links that were signed before stop working',
    actor: 'user',
    scope: 'own',
    input: RotateLinkSecret,
    answer: RotatedLinkSecret
  })
}
