import type { ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import { useEffect, useState } from 'react'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { enterWorkspace, rememberWorkspace } from '#components/workspace/enter-workspace.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { NewWorkspace } from './new-workspace.tsx'

/**
 * Shows the current workspace. It is a menu to change the workspace if the user belongs to several, and for owners
 * also to create one.
 */
export function WorkspaceName({ workspaces }: { workspaces: readonly ListedWorkspace[] }) {
  const { mayOwn } = useWorkspace().me
  const [creating, setCreating] = useState(false)
  const current = workspaces.find(workspace => workspace.current)
  const kept = workspaces.length > 1 ? current?.id : undefined
  useEffect(() => {
    if (kept === undefined) return
    // Another tab may have chosen another workspace. The tab that the user works in decides.
    const keep = () => rememberWorkspace(kept)
    window.addEventListener('focus', keep)
    return () => window.removeEventListener('focus', keep)
  }, [kept])
  const name = <span className="truncate font-semibold">{current?.name ?? 'Workspace'}</span>
  if (workspaces.length < 2 && !mayOwn)
    return <div className="flex h-10 shrink-0 items-center px-4">{name}</div>
  return (
    <>
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
          <MenuItem
            key={workspace.id}
            disabled={workspace.current}
            onSelect={() => enterWorkspace(workspace.id)}
          >
            {workspace.name}
          </MenuItem>
        ))}
        {mayOwn ? (
          <MenuItem data-hook="new-workspace" onSelect={() => setCreating(true)}>
            New workspace…
          </MenuItem>
        ) : null}
      </Menu>
      {creating ? <NewWorkspace onClose={() => setCreating(false)} /> : null}
    </>
  )
}
