import { getWorkspace } from '#lib/auth/get-workspace.ts'
import { updateWorkspace } from '#lib/auth/update-workspace.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(workspaceOperations.get, getWorkspace)
export const PUT = route(workspaceOperations.update, updateWorkspace)
