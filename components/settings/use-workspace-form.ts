'use client'
import { UpdateWorkspace, type Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { checkValues } from '#components/forms/check-values.ts'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'

type Setting = keyof UpdateWorkspace & keyof Workspace

/**
 * A form for settings of the workspace. `inputOf` returns what the server receives. `line` has the props of its
 * `SaveLine`. It is disabled until the page shows the saved workspace, because other parts of the page compare
 * their values with it.
 */
export function useWorkspaceForm<Name extends Setting>(
  saved: Pick<Workspace, Name>,
  inputOf = (values: Pick<Workspace, Name>) => values
) {
  const router = useRouter()
  const of = useSchemaForm({
    saved,
    inputOf,
    check: values => checkValues(UpdateWorkspace, values)
  })
  const [said, setSaid] = useState<Said>({ text: '' })
  const [busy, setBusy] = useState(false)
  const [refreshing, refresh] = useTransition()
  const save = async (values: Pick<Workspace, Name>) => {
    setBusy(true)
    const reply = await replyTo(client.call('updateWorkspace', { body: inputOf(values) }))
    setBusy(false)
    if (!reply.ok) return setSaid({ text: of.showErrors(reply), failed: true })
    const names = Object.keys(saved) as Name[]
    of.reset(Object.fromEntries(names.map(name => [name, reply.body[name]])) as Pick<Workspace, Name>)
    setSaid({ text: 'Saved.' })
    refresh(() => router.refresh())
  }
  return {
    of,
    save,
    line: {
      disabled: busy || refreshing || !of.isChanged,
      said: of.isChanged && !said.failed ? { text: '' } : said
    }
  }
}
