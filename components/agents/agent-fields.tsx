import type { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import type { KnownModels } from '#components/forms/known-models.ts'
import { FormModel } from '#components/forms/model-picker.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { amount, json, names, optional, type TextFormat, trimmed } from '#components/forms/text-format.ts'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { RadioList } from '#components/ui/radio-list.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { AgentForm, ToolChoice } from './agent-form.ts'
import { BuiltInTools } from './built-in-tools.tsx'
import { ModelFields } from './model-fields.tsx'
import { OtherTools } from './tools/other-tools.tsx'
import { type Person, WhoMayAnswer } from './who-may-answer.tsx'

/** The choices that the fields of an agent offer. */
export type AgentChoices = {
  tools: readonly ToolChoice[]
  /** The plugins that agents can enable. */
  plugins: readonly ListedPlugin[]
  models: KnownModels
  /** The members of the workspace, for the answer policy. */
  people: readonly Person[]
}

type AgentFieldsProps = AgentChoices & { type: AgentForm['type']; isNew: boolean }

/** The fields of an agent form, for chat agents and external agents. Only editors can change them. */
export function AgentFields({ type, isNew, ...choices }: AgentFieldsProps) {
  const { me } = useWorkspace()
  return (
    <fieldset disabled={!me.mayEdit} className="contents">
      {isNew ? <AgentType /> : null}
      <div className="grid gap-4 mid:grid-cols-2">
        <FormField name="displayName" label="Name" required />
        <FormField
          name="agentId"
          as={trimmed}
          label="ID"
          hint={isNew ? "Letters, digits, - and _. Can't be changed later." : "Can't be changed."}
          readOnly={!isNew}
          required
          mono
        />
      </div>
      <FormField
        name="description"
        as={optional}
        label="Description"
        hint="Shown when someone selects an agent."
      />
      {type === 'external' ? <ExternalFields /> : <ChatFields {...choices} />}
      <div className="grid gap-4 mid:grid-cols-2">
        <OobPolicyFields inherits />
      </div>
      <FormField
        name="outOfBand.ttlSeconds"
        as={ttl}
        label="Out-of-band messages expire after (seconds)"
        hint="Up to 2592000 (30 days), or never. Leave empty to use the workspace default."
        placeholder="workspace default"
      />
    </fieldset>
  )
}

/** A number of seconds, or `never` for null. */
const ttl: TextFormat = {
  format: value => (value === null ? 'never' : amount.format(value)),
  parse: typed => (typed.trim().toLowerCase() === 'never' ? null : amount.parse(typed))
}

/** Starters, one per line. Without a label, the text is also the label. */
const starters: TextFormat = {
  format: value =>
    Array.isArray(value)
      ? value.map(({ label, text }) => (label === text ? text : `${label}: ${text}`)).join('\n')
      : '',
  parse: typed => {
    const list = typed.split('\n').flatMap(line => {
      const [, label = line, text = line] = /^([^:]{1,80}): (.*\S.*)$/.exec(line) ?? []
      return line.trim() === '' ? [] : [{ label: label.trim(), text: text.trim() }]
    })
    return list.length === 0 ? undefined : list
  }
}

/** The fields of an agent whose replies come from a model. */
function ChatFields({ tools, plugins, people, models }: AgentChoices) {
  const hasPlugins = useFormValue('chat.plugins').value !== undefined
  return (
    <>
      <FormModel
        name="chat.model"
        label="Model"
        hint="Select one or type its name as provider/model. Owners add providers under Settings → Models."
        known={models}
        unset="default"
      />
      <FormSelect
        name="chat.toolCalling"
        fallback="native"
        label="Tool calls"
        hint="Select Prompted for a model without tool calling. The prompt then explains how to write a call."
        options={[
          { value: 'native', label: 'Native' },
          { value: 'text', label: 'Prompted' }
        ]}
        data-hook="tool-calling"
      />
      <ModelFields />
      <FormField name="chat.instructions" label="Instructions" hint="The model's system prompt." rows={8} />
      <FormSelect
        name="chat.buildKit"
        fallback=""
        label="Build kit in new sessions"
        hint="With the build kit, the agent can propose changes to itself in sessions that editors start here."
        options={[
          { value: '', label: 'Workspace default' },
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' }
        ]}
        data-hook="agent-build-kit"
      />
      <BuiltInTools tools={tools} />
      <OtherTools />
      <FormField
        name="chat.handoffs"
        as={names}
        label="Can hand off to"
        hint="Agent IDs in this workspace, separated by commas. The agent gets a tool for each, like handoff_to_billing."
        mono
      />
      <WhoMayAnswer people={people} />
      {plugins.length === 0 && !hasPlugins ? null : (
        <FormField name="chat.plugins" as={json} label="Plugins" hint={pluginHint(plugins)} rows={4} mono />
      )}
      <fieldset className="min-w-0">
        <legend className="pb-2 text-person font-semibold">Limits</legend>
        <div className="grid gap-4 mid:grid-cols-3">
          <FormField name="chat.limits.stepsPerTurn" as={amount} label="Steps per turn" inputMode="numeric" />
          <FormField name="chat.limits.usdPerTurn" as={amount} label="US$ per turn" inputMode="decimal" />
          <FormField
            name="chat.limits.contextTokens"
            as={amount}
            label="Context window (tokens)"
            inputMode="numeric"
          />
        </div>
        <FormCheckbox name="chat.compaction" on="model" off="words" fallback="model" className="pt-2">
          Summarize old messages when the context window is full. Off: keep only the first words of each user
          message.
        </FormCheckbox>
      </fieldset>
      <FormDetails data-hook="agent-timeouts" summary="Timeouts and retries" summaryClassName="font-semibold">
        <div className="pt-3">
          <ToolSettingFields name="chat.toolSettings" placeholder={() => 'workspace default'} />
        </div>
      </FormDetails>
      <FormField
        name="chat.starters"
        as={starters}
        label="Starters"
        hint="Up to 6 buttons of an empty session, one per line, as label: text. Leave empty to derive them from the tools."
        rows={3}
      />
    </>
  )
}

const pluginHint = (plugins: readonly ListedPlugin[]): string => {
  const has = plugins.map(({ name, description }) => (description ? `${name} (${description})` : name))
  return `In the order in which they run, as JSON: [{"name", "config", "onFailure"}]. Available: ${has.join(', ') || 'none'}.`
}

/** The fields of an external agent: its URLs, its retries and the content that it receives. */
function ExternalFields() {
  return (
    <>
      <FormField
        name="external.inputUrl"
        as={trimmed}
        label="Input URL"
        hint="Each message is sent to this URL as JSON, with the callbackUrl for replies."
        inputMode="url"
        required
        mono
      />
      <FormField
        name="external.callbackBaseUrl"
        as={optional}
        label="Callback base URL"
        hint="The URL where the external agent reaches this server, if not its public URL."
        inputMode="url"
        mono
      />
      <FormField
        name="external.checkUrl"
        as={optional}
        label="Check URL"
        hint="Optional. The server asks this URL which conversations exist, when someone starts a session."
        inputMode="url"
        mono
      />
      <FormField
        name="external.retries"
        as={amount}
        label="Retries"
        hint="0 to 10. With retries, the external agent may receive a message twice."
        inputMode="numeric"
      />
      <FormField
        name="external.redact"
        as={names}
        label="Redacted fields"
        hint="Field names, separated by commas. Their values are replaced in active items."
        mono
      />
      <FormField
        name="external.history"
        as={amount}
        label="Earlier messages"
        hint="0 to 50. Sent with the first message of a session, for example after its own greeting."
        inputMode="numeric"
      />
      <FormCheckbox name="external.activeItem" on="everyMessage" off="onChange" fallback="onChange">
        Send the active item's content with every message, not only after a change
      </FormCheckbox>
    </>
  )
}

/** Selects the type of a new agent. The type cannot change later, because sessions depend on it. */
function AgentType() {
  const { value, onChange } = useFormValue<AgentForm['type']>('type')
  return (
    <RadioList
      legend="Type (can't be changed later)"
      name="type"
      value={value}
      onChange={onChange}
      options={[
        { value: 'chat', label: 'Chat', hint: 'A model replies and calls tools.' },
        { value: 'external', label: 'External', hint: 'Your own service replies, now or later.' }
      ]}
      className="grid gap-x-4 mid:grid-cols-2"
      legendClassName="pb-1 text-muted"
      itemClassName="items-baseline py-1"
    />
  )
}
