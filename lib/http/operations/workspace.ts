import { RotatedLinkSecret, RotateLinkSecret } from '#lib/auth/rotate-link-secret.ts'
import { GetWorkspace, UpdateWorkspace, Workspace } from '#lib/auth/workspace.ts'
import { operation } from '#lib/http/operation.ts'

export const workspaceOperations = {
  get: operation({
    id: 'getWorkspace',
    method: 'GET',
    path: '/api/workspace',
    summary:
      'The workspace: the origins whose pages may use its session tokens, its spending caps, what was spent, its tool rules and how long sessions are kept',
    actor: 'user',
    scope: 'own',
    input: GetWorkspace,
    answer: Workspace
  }),
  update: operation({
    id: 'updateWorkspace',
    method: 'PUT',
    path: '/api/workspace',
    summary:
      'Sets the origins whose pages may use session tokens, the spending caps, the tool rules, or how long sessions are kept; what is not named stays',
    actor: 'user',
    scope: 'own',
    input: UpdateWorkspace,
    answer: Workspace
  }),
  rotateLinkSecret: operation({
    id: 'rotateLinkSecret',
    method: 'POST',
    path: '/api/workspace/link-secret/rotate',
    summary:
      'Signs links with a new secret: answer links, answer pages and callback links that were signed before are refused',
    actor: 'user',
    scope: 'own',
    input: RotateLinkSecret,
    answer: RotatedLinkSecret
  })
}
