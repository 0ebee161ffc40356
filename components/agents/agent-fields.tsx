'use client'
import { Field } from '#components/settings/field.tsx'
import type { AgentDraft, ToolChoice } from './agent-draft.ts'
import { BuiltInTools } from './built-in-tools.tsx'

type AgentFieldsProps = {
  draft: AgentDraft
  tools: readonly ToolChoice[]
  isNew: boolean
  faults: Readonly<Record<string, string>>
  change: (part: Partial<AgentDraft>) => void
}

/** Everything of an agent that people set by hand, in the order they think of it. */
export function AgentFields({ draft, tools, isNew, faults, change }: AgentFieldsProps) {
  const field = (name: Exclude<keyof AgentDraft, 'builtIn'>) => ({
    name,
    value: draft[name],
    fault: faults[name],
    onChange: (value: string) => change({ [name]: value })
  })
  return (
    <>
      <div className="grid gap-4 mid:grid-cols-2">
        <Field {...field('displayName')} label="Name" required />
        <Field
          {...field('agentId')}
          label="ID"
          hint={isNew ? 'Letters, digits, - and _. It stays.' : 'It stays.'}
          readOnly={!isNew}
          required
          mono
        />
      </div>
      <Field {...field('description')} label="Description" hint="For whoever chooses an agent." />
      <Field
        {...field('model')}
        label="Model"
        hint="provider/model, or default: OpenAI with a key, else the demo model."
        mono
      />
      <Field
        {...field('instructions')}
        label="Instructions"
        hint="What the model is told before anything else."
        rows={8}
      />
      <BuiltInTools tools={tools} chosen={draft.builtIn} onChange={builtIn => change({ builtIn })} />
      <Field
        {...field('external')}
        label="External tools"
        hint='Tools that another system answers, as JSON: [{"name", "where": "external", "title", "description", "inputSchema", "url"}]'
        rows={6}
        mono
      />
      <fieldset className="min-w-0">
        <legend className="pb-2 text-person font-semibold">Limits</legend>
        <div className="grid gap-4 mid:grid-cols-3">
          <Field {...field('stepsPerTurn')} label="Steps in a turn" inputMode="numeric" />
          <Field {...field('usdPerTurn')} label="US$ in a turn" inputMode="decimal" />
          <Field {...field('contextTokens')} label="Context, tokens" inputMode="numeric" />
        </div>
      </fieldset>
    </>
  )
}
