import { getWorkspace } from '#lib/auth/workspaces/get-workspace.ts'
import { rotateLinkSecret } from '#lib/auth/workspaces/rotate-link-secret.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { bind } from '#lib/http/endpoint.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { route } from '#lib/http/route.ts'

export const workspaceEndpoints = bind(workspaceOperations, {
  get: operation => route(operation, getWorkspace),
  update: operation => route(operation, updateWorkspace),
  rotateLinkSecret: operation => route(operation, rotateLinkSecret)
})
