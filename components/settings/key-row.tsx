'use client'
import { useState } from 'react'
import { age } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

export type ListedKey = {
  id: string
  name: string
  prefix: string
  role: 'owner' | 'editor' | 'operator' | 'viewer'
  createdAt: string
  lastUsedAt?: string
}

/**
 * An API key in the list. Revoking it needs confirmation: programs lose access immediately, and it cannot be
 * restored.
 */
export function KeyRow({ listed, revoke }: { listed: ListedKey; revoke: () => Promise<void> }) {
  const now = useNow()
  const [asked, setAsked] = useState(false)
  const used =
    listed.lastUsedAt === undefined
      ? 'never used'
      : `used ${now === undefined ? '' : ago(listed.lastUsedAt, now)}`
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{listed.name}</p>
        <p className="text-muted">
          <span className="font-mono text-mono">{listed.prefix}…</span> · {listed.role} · {used}
        </p>
      </div>
      <Button onClick={() => setAsked(true)} data-hook="revoke-key">
        Revoke…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Revoke “${listed.name}”?`}
        description="Programs that use this key lose access immediately. You can't restore a revoked key, but you can create a new one."
      >
        <div className="flex gap-2 pt-2">
          <Button tone="danger" onClick={() => revoke().then(() => setAsked(false))} data-hook="confirm">
            Revoke key
          </Button>
          <Button onClick={() => setAsked(false)}>Cancel</Button>
        </div>
      </Dialog>
    </li>
  )
}

const ago = (iso: string, now: number) => (age(iso, now) === 'now' ? 'just now' : `${age(iso, now)} ago`)
