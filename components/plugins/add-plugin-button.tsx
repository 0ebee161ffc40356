'use client'
import { useRouter } from 'next/navigation'
import { Button } from '#components/ui/button.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Opens the form that adds a plugin. Other users read who can add one. */
export function AddPluginButton() {
  const { me } = useWorkspace()
  const router = useRouter()
  if (!me.mayOwn) return <p className="text-muted">Owners can add plugins.</p>
  return (
    <Button tone="primary" onClick={() => router.push('/plugins?add')} data-hook="open-add-plugin">
      Add plugin
    </Button>
  )
}
