import { chooseWorkspace } from '@waystation/protocol/workspace/workspace-cookie.ts'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

export type Workspace = { id: string; name: string; current: boolean }

/**
 * Shows the current workspace. If the user belongs to several, it is a menu to change the workspace. The
 * server reads the choice from a cookie.
 */
export function WorkspaceName({ workspaces }: { workspaces: readonly Workspace[] }) {
  const current = workspaces.find(workspace => workspace.current)
  const name = <span className="truncate font-semibold">{current?.name ?? 'Workspace'}</span>
  if (workspaces.length < 2) return <div className="flex h-10 shrink-0 items-center px-4">{name}</div>
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          data-hook="change-workspace"
          className="tap flex h-10 shrink-0 items-center gap-2 px-4 text-left"
        >
          {name}
          <span className="text-muted" aria-hidden="true">
            ▾
          </span>
          <span className="sr-only">Change workspace</span>
        </button>
      }
    >
      {workspaces.map(workspace => (
        <MenuItem key={workspace.id} disabled={workspace.current} onSelect={() => enter(workspace.id)}>
          {workspace.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

function enter(workspaceId: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
  document.cookie = chooseWorkspace(workspaceId)
  window.location.assign('/sessions')
}
