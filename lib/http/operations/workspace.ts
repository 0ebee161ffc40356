import { GetWorkspace, UpdateWorkspace, Workspace } from '@waystation/protocol/workspace/workspace.ts'
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
