import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { UpdateWorkspace, type Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { checkValues } from '#components/forms/check-values.ts'
import type { SaveBarProps } from '#components/forms/save-bar.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { useUnsaved } from './use-unsaved.ts'

/** The settings that a form can change. */
export type Setting = keyof UpdateWorkspace & keyof Workspace

/** Returns the values that the server receives: without the groups of a setting in which no value is set. */
const inputOf = <Values extends object>(values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([, part]) => isSet(part)))
        : value
    ])
  ) as Values

const isSet = (part: unknown) => !isJsonObject(part) || Object.values(part).some(value => value !== undefined)

/**
 * A form for settings of the workspace. `bar` has the props of its `SaveBar`.
 * It is disabled until the page shows the saved workspace, because other parts of the page compare their values with
 * it.
 */
export function useWorkspaceForm<Name extends Setting>(names: readonly Name[], workspace: Workspace) {
  const router = useRouter()
  const of = useSchemaForm({
    saved: only(names, workspace),
    inputOf,
    check: values => checkValues(UpdateWorkspace, values),
    checksOnBlur: true
  })
  const isRestored = useUnsaved({
    id: `${workspace.id}:${names.join()}`,
    saved: of.form.formState.defaultValues,
    values: of.values,
    isChanged: of.isChanged,
    restore: values => of.form.reset(values, { keepDefaultValues: true })
  })
  const [said, setSaid] = useState<Said>({ text: '' })
  const [busy, setBusy] = useState(false)
  const [refreshing, refresh] = useTransition()
  const save = async (values: Pick<Workspace, Name>) => {
    setBusy(true)
    const reply = await replyTo(client.call('updateWorkspace', { body: inputOf(values) }))
    setBusy(false)
    if (!reply.ok) return setSaid({ text: of.showErrors(reply), failed: true })
    of.reset(only(names, reply.body))
    setSaid({ text: 'Saved.' })
    refresh(() => router.refresh())
  }
  const bar: SaveBarProps = {
    isChanged: of.isChanged,
    isRestored,
    disabled: busy || refreshing,
    said: of.isChanged && !said.failed ? { text: '' } : said,
    onDiscard: () => {
      of.form.reset()
      setSaid({ text: 'Changes discarded.' })
    }
  }
  return { of, save, bar }
}

const only = <Name extends Setting>(names: readonly Name[], workspace: Pick<Workspace, Setting>) =>
  Object.fromEntries(names.map(name => [name, workspace[name]])) as Pick<Workspace, Name>
