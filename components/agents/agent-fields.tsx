'use client'
import type { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import { Field } from '#components/ui/field.tsx'
import type { AgentDraft, ToolChoice } from './agent-draft.ts'
import { BuiltInTools } from './built-in-tools.tsx'
import { ToolCalling } from './tool-calling.tsx'
import { type Person, WhoMayAnswer } from './who-may-answer.tsx'

type AgentFieldsProps = {
  draft: AgentDraft
  tools: readonly ToolChoice[]
  /** The plugins that agents can enable. */
  plugins: readonly ListedPlugin[]
  /** The members of the workspace, for the answer policy. */
  people: readonly Person[]
  isNew: boolean
  faults: Readonly<Record<string, string>>
  change: (part: Partial<AgentDraft>) => void
}

/** The fields of an agent form, for chat agents and external agents. */
export function AgentFields({ draft, tools, plugins, people, isNew, faults, change }: AgentFieldsProps) {
  const field = (name: Named) => ({
    name,
    value: draft[name],
    fault: faults[name],
    onChange: (value: string) => change({ [name]: value })
  })
  return (
    <>
      {isNew ? <AgentType type={draft.type} onChange={type => change({ type })} /> : null}
      <div className="grid gap-4 mid:grid-cols-2">
        <Field {...field('displayName')} label="Name" required />
        <Field
          {...field('agentId')}
          label="ID"
          hint={isNew ? "Letters, digits, - and _. Can't be changed later." : "Can't be changed."}
          readOnly={!isNew}
          required
          mono
        />
      </div>
      <Field {...field('description')} label="Description" hint="Shown when someone selects an agent." />
      {draft.type === 'external' ? (
        <OutsideFields draft={draft} change={change} field={field} />
      ) : (
        <ChatFields {...{ draft, tools, plugins, people, change, field }} />
      )}
      <Field
        {...field('ttlSeconds')}
        label="Out-of-band messages expire after (seconds)"
        hint="Up to 2592000 (30 days), or never. Leave empty to use the workspace default."
        placeholder="workspace default"
      />
    </>
  )
}

/** The fields whose value is a single text. */
type Named = Exclude<
  keyof AgentDraft,
  'builtIn' | 'type' | 'answer' | 'activeEachTime' | 'compaction' | 'toolCalling'
>

type FieldOf = (name: Named) => {
  name: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** The fields of an agent whose replies come from a model. */
function ChatFields({
  draft,
  tools,
  plugins,
  people,
  change,
  field
}: Pick<AgentFieldsProps, 'draft' | 'tools' | 'plugins' | 'people' | 'change'> & { field: FieldOf }) {
  return (
    <>
      <Field
        {...field('model')}
        label="Model"
        hint="provider/model, or default. The default is OpenAI if a key is set, otherwise the demo model."
        mono
      />
      <ToolCalling way={draft.toolCalling} onChange={toolCalling => change({ toolCalling })} />
      <Field {...field('instructions')} label="Instructions" hint="The model's system prompt." rows={8} />
      <BuiltInTools tools={tools} chosen={draft.builtIn} onChange={builtIn => change({ builtIn })} />
      <Field
        {...field('handoffs')}
        label="Can hand off to"
        hint="Agent IDs in this workspace, separated by commas. The agent gets a tool for each, like handoff_to_billing."
        mono
      />
      <WhoMayAnswer answer={draft.answer} people={people} onChange={answer => change({ answer })} />
      <Field
        {...field('external')}
        label="External tools"
        hint='Tools that other services run, as JSON: [{"name", "where": "external", "title", "description", "inputSchema", "url"}]'
        rows={6}
        mono
      />
      {plugins.length === 0 && draft.plugins === '' ? null : (
        <Field {...field('plugins')} label="Plugins" hint={pluginHint(plugins)} rows={4} mono />
      )}
      <fieldset className="min-w-0">
        <legend className="pb-2 text-person font-semibold">Limits</legend>
        <div className="grid gap-4 mid:grid-cols-3">
          <Field {...field('stepsPerTurn')} label="Steps per turn" inputMode="numeric" />
          <Field {...field('usdPerTurn')} label="US$ per turn" inputMode="decimal" />
          <Field {...field('contextTokens')} label="Context window (tokens)" inputMode="numeric" />
        </div>
        <label className="tap flex items-center gap-2 pt-2">
          <input
            type="checkbox"
            checked={draft.compaction === 'model'}
            onChange={event => change({ compaction: event.target.checked ? 'model' : 'words' })}
          />
          Summarize old messages when the context window is full. Off: keep only the first words of each user
          message.
        </label>
      </fieldset>
    </>
  )
}

const pluginHint = (plugins: readonly ListedPlugin[]): string => {
  const has = plugins.map(({ name, description }) => (description ? `${name} (${description})` : name))
  return `In the order in which they run, as JSON: [{"name", "config", "onFailure"}]. Available: ${has.join(', ') || 'none'}.`
}

/** The fields of an external agent: its URLs, its retries and the content that it receives. */
function OutsideFields({
  draft,
  change,
  field
}: Pick<AgentFieldsProps, 'draft' | 'change'> & { field: FieldOf }) {
  return (
    <>
      <Field
        {...field('inputUrl')}
        label="Input URL"
        hint="Each message is sent to this URL as JSON, with the callbackUrl for replies."
        inputMode="url"
        required
        mono
      />
      <Field
        {...field('callbackBaseUrl')}
        label="Callback base URL"
        hint="The URL where the external agent reaches this server, if not its public URL."
        inputMode="url"
        mono
      />
      <Field
        {...field('retries')}
        label="Retries"
        hint="0 to 10. With retries, the external agent may receive a message twice."
        inputMode="numeric"
      />
      <Field
        {...field('redact')}
        label="Redacted fields"
        hint="Field names, separated by commas. Their values are replaced in active items."
        mono
      />
      <label className="tap flex items-center gap-2">
        <input
          type="checkbox"
          checked={draft.activeEachTime}
          onChange={event => change({ activeEachTime: event.target.checked })}
        />
        Send the active item's content with every message, not only after a change
      </label>
    </>
  )
}

const types = [
  { type: 'chat', label: 'Chat', hint: 'A model replies and calls tools.' },
  { type: 'external', label: 'External', hint: 'Your own service replies, now or later.' }
] as const

/** Selects the type of a new agent. The type cannot change later, because sessions depend on it. */
function AgentType({
  type,
  onChange
}: {
  type: AgentDraft['type']
  onChange: (type: AgentDraft['type']) => void
}) {
  return (
    <fieldset className="grid min-w-0 gap-x-4 mid:grid-cols-2">
      <legend className="pb-1 text-muted">Type (can't be changed later)</legend>
      {types.map(one => (
        <label key={one.type} className="tap flex items-baseline gap-2 py-1">
          <input
            type="radio"
            name="type"
            value={one.type}
            checked={one.type === type}
            onChange={() => onChange(one.type)}
          />
          <span>
            <span className={one.type === type ? 'font-semibold' : ''}>{one.label}</span>
            <span className="block text-muted">{one.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
