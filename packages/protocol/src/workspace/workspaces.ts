import { z } from 'zod'

/** The ID of the workspace that every server has. It cannot be deleted. */
export const defaultWorkspaceId = 'default'

export const WorkspaceName = z.string().trim().min(1).max(80)

/** A workspace that the caller can enter. `current` is the one of this request. */
export const ListedWorkspace = z.object({ id: z.string(), name: z.string(), current: z.boolean() })
export type ListedWorkspace = z.infer<typeof ListedWorkspace>

export const ListWorkspaces = z.object({})
export type ListWorkspaces = z.infer<typeof ListWorkspaces>

export const Workspaces = z.object({ workspaces: z.array(ListedWorkspace) })
export type Workspaces = z.infer<typeof Workspaces>

export const CreateWorkspace = z.strictObject({ name: WorkspaceName })
export type CreateWorkspace = z.infer<typeof CreateWorkspace>

/** `name` is the workspace's name, as a confirmation. */
export const DeleteWorkspace = z.object({ name: z.string().max(200) })
export type DeleteWorkspace = z.infer<typeof DeleteWorkspace>

export const DeletedWorkspace = z.object({ id: z.string() })
export type DeletedWorkspace = z.infer<typeof DeletedWorkspace>
