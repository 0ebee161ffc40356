import type { ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import { useEffect, useState } from 'react'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { enterWorkspace, rememberWorkspace } from '#components/workspace/enter-workspace.ts'
import { useList } from '#components/workspace/list-context.ts'
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
  const name = (
    <>
      <Mark />
      <span className="truncate text-person font-semibold max-mid:text-title">
        {current?.name ?? 'Workspace'}
      </span>
    </>
  )
  const look = 'flex h-12 shrink-0 items-center gap-2.5 px-4 mid:mr-11 max-mid:mr-26'
  if (workspaces.length < 2 && !mayOwn) return <div className={look}>{name}</div>
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            data-hook="change-workspace"
            className={`${look} chevron text-left after:-ml-0.5 after:text-muted`}
          >
            {name}
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

/** The mark of the product: a station on a line. It is amber while a request waits for the user. */
function Mark() {
  const { waiting } = useList()
  return (
    <svg
      width="16"
      height="28"
      viewBox="0 0 16 28"
      fill="none"
      strokeWidth="2"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d="M8 0v9m0 10v9" className="stroke-rail" />
      <circle cx="8" cy="14" r="5" className={waiting > 0 ? 'stroke-you' : 'stroke-ink'} />
    </svg>
  )
}
