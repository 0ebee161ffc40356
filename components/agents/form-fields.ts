import { type AgentConfig, isBuiltIn } from '@waystation/protocol/agent/agent.ts'
import { useEffect } from 'react'
import { placeOf } from '#components/ui/change-words.ts'
import { type AgentDraft, draftOf } from './agent-draft.ts'

/** `faults`: the errors of the form's fields. `text`: what to do, and the errors of other fields. */
export type FormErrors = { faults: Readonly<Record<string, string>>; text: string }

/** Fields that show no error of their own, and fields whose errors name a part of their value. */
const without = [
  'type',
  'builtIn',
  'toolCalling',
  'answer',
  'external',
  'plugins',
  'activeEachTime',
  'compaction'
]
const names = Object.keys(draftOf(undefined, [])).filter(name => !without.includes(name))

/** Divides the errors of a configuration, which the server reports by path, among the fields of the form. */
export function formErrors(fields: Readonly<Record<string, string>>, config: AgentConfig): FormErrors {
  const faults: Record<string, string> = {}
  const listed: string[] = []
  for (const [at, message] of Object.entries(fields)) {
    const path = at.replace(/^config\./, '').split('.')
    const [, list, index = ''] = path
    const tool = config.type === 'chat' && list === 'tools' ? config.chat.tools[Number(index)] : undefined
    // The index includes tools that the form shows elsewhere, so the name says which tool is meant.
    if (tool !== undefined && 'name' in tool && tool.name) path[2] = tool.name
    const field =
      list === 'tools' && !(tool && isBuiltIn(tool))
        ? 'external'
        : list === 'plugins'
          ? list
          : names.find(name => path.includes(name))
    const words = message.replace(/\.$/, '')
    if (field === undefined) listed.push(`${placeOf({ path })}: ${words}.`)
    else {
      const inside = field === 'external' || field === 'plugins' ? `${placeOf({ path })}: ${words}` : words
      const sentence = `${inside.charAt(0).toUpperCase()}${inside.slice(1)}.`
      faults[field] = faults[field] === undefined ? sentence : `${faults[field]} ${sentence}`
    }
  }
  const marked = Object.keys(faults).length === 0 ? [] : ['Correct the marked fields.']
  return { faults, text: [...marked, ...listed].join('\n') }
}

/** Returns an error for each required field that is empty, or undefined if there is none. */
export function missingFields(draft: AgentDraft): FormErrors | undefined {
  const required = ['displayName', 'agentId', ...(draft.type === 'external' ? ['inputUrl'] : [])] as const
  const empty = required.filter(name => draft[name as 'displayName'].trim() === '')
  if (empty.length === 0) return undefined
  return {
    faults: Object.fromEntries(empty.map(name => [name, 'This field is required.'])),
    text: 'Fill in the required fields.'
  }
}

/** Moves the focus to the first field with an error after each attempt to save. */
export function useFocusedFault(faults: FormErrors['faults'] | undefined): void {
  useEffect(() => {
    if (faults !== undefined) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }, [faults])
}
