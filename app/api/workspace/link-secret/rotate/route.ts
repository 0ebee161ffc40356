import { rotateLinkSecret } from '#lib/auth/rotate-link-secret.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(workspaceOperations.rotateLinkSecret, rotateLinkSecret)
