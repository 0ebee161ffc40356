import { createWorkspace } from '#lib/auth/workspaces/create-workspace.ts'
import { deleteWorkspace } from '#lib/auth/workspaces/delete-workspace.ts'
import { getWorkspace } from '#lib/auth/workspaces/get-workspace.ts'
import { listWorkspaces } from '#lib/auth/workspaces/list-workspaces.ts'
import { rotateLinkSecret } from '#lib/auth/workspaces/rotate-link-secret.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { testToolRules } from '#lib/features/approvals/test-rules.ts'
import { bind } from '#lib/http/endpoint.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { route } from '#lib/http/route.ts'

export const workspaceEndpoints = bind(workspaceOperations, {
  get: operation => route(operation, getWorkspace),
  update: operation => route(operation, updateWorkspace),
  list: operation => route(operation, listWorkspaces),
  create: operation => route(operation, createWorkspace),
  remove: operation => route(operation, deleteWorkspace),
  testToolRules: operation => route(operation, testToolRules),
  rotateLinkSecret: operation => route(operation, rotateLinkSecret)
})
