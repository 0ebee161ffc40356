'use client'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { SigningSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import { type FocusEvent, useEffect, useRef } from 'react'
import { isDialogOpen } from '#components/browser/hotkeys.ts'
import { useSplit } from '#components/browser/use-media.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { type AgentForm, valuesOf } from './agent-form.ts'
import { DraftChanges } from './draft/draft-changes.tsx'
import { JsonField } from './draft/json-field.tsx'
import { useAgentDraft } from './draft/use-agent-draft.ts'
import type { OpenedAgent } from './opened-agent.ts'
import { SectionNav } from './section-nav.tsx'
import { type AgentChoices, AgentSections } from './sections/agent-sections.tsx'
import { PromptSize } from './try/prompt-size.tsx'
import { TestAgent } from './try/test-agent.tsx'
import { useTrial } from './try/use-trial.ts'
import { type Section, showSection, useSection } from './use-section.ts'
import { AgentHistory, type SavedRevision } from './versions/agent-history.tsx'
import { AgentSecrets } from './versions/agent-secrets.tsx'
import { WorkbenchHeader } from './workbench-header.tsx'

type AgentPageProps = AgentChoices & {
  workspaceId: string
  opened: OpenedAgent
  history: readonly SavedRevision[]
  /** Undefined if the user cannot view them. */
  secrets: readonly SigningSecret[] | undefined
}

// The form does not wait for the code of a session.
const TryPane = lazyPart(async () => (await import('./try/try-pane.tsx')).TryPane)
const TestsSection = lazyPart(async () => (await import('./test-sets/tests-section.tsx')).TestsSection)

/**
 * The workbench of an agent: its configuration in sections, and a place to try it. Changes are saved as a draft until the
 * user publishes them as the next revision.
 */
export function AgentPage({ workspaceId, opened, history, secrets, ...choices }: AgentPageProps) {
  const { me } = useWorkspace()
  const named = useSection()
  const config = useRef<HTMLDivElement>(null)
  /** A field that gets the focus as soon as its section is open. */
  const hidden = useRef<HTMLElement>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is visible after this change
  useEffect(() => {
    if (hidden.current === undefined) config.current?.scrollTo(0, 0)
    hidden.current?.focus()
    hidden.current = undefined
  }, [named])
  /** Opens the section with the first field that has an error, and focuses that field. */
  const showErrors = (): number =>
    requestAnimationFrame(() => {
      // A dialog that closes moves the focus back to its button.
      if (isDialogOpen()) return void showErrors()
      const field = config.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      const section = field?.closest<HTMLElement>('[data-section]')?.dataset.section as Section | undefined
      if (field == null || section === undefined) return
      showSection(section)
      field.focus()
      if (document.activeElement !== field) hidden.current = field
    })
  const draft = useAgentDraft({ opened, tools: choices.tools, workspaceId, onErrors: showErrors })
  const { agent, of } = draft
  const { getValues, setValue, trigger } = of.form
  // The fields cannot show a configuration that is not valid.
  const isJson = of.values.json !== undefined
  const section: Section = isJson && named !== 'try' ? 'json' : named
  const select = (next: Section) => {
    if (next === 'json' && !isJson) setValue('json', of.input, { shouldDirty: true })
    if (next !== 'json' && next !== 'try' && isJson) {
      const values = valuesOf(getValues(), choices.tools)
      // The fields would replace a text that is no configuration.
      if (values.json !== undefined) return void trigger()
      const { agentId, type } = getValues()
      for (const [name, value] of Object.entries({ ...values, agentId, type, json: undefined }))
        setValue(name as keyof AgentForm, value as never, { shouldDirty: true })
    }
    showSection(next)
  }
  const onBlur = ({ target }: FocusEvent) => {
    const { name } = target as HTMLInputElement
    if (draft.changed && of.names.has(name)) void trigger(name as keyof AgentForm)
    draft.autosave.saveSoon()
  }
  const isExternal = agent.type === 'external'
  const isSplit = useSplit()
  const trial = useTrial(draft, workspaceId)
  const mayTry = me.mayEdit && me.maySend
  // The results of tests need more width.
  const beside =
    section === 'tests'
      ? 'min-[1600px]:grid-cols-[minmax(0,864px)_minmax(426px,1fr)]'
      : 'split:grid-cols-[minmax(0,864px)_minmax(426px,1fr)]'
  return (
    <div className="flex h-full flex-col">
      <WorkbenchHeader draft={draft} />
      <DraftChanges draft={draft} mayEdit={me.mayEdit} />
      <div className={`grid min-h-0 flex-1 grid-rows-[auto_minmax(0,1fr)] ${mayTry ? beside : ''}`}>
        <SectionNav draft={draft} mayTry={mayTry} section={section} select={select} />
        <div
          ref={config}
          className={`overflow-y-auto px-5 py-6 mid:px-8 ${section === 'try' ? 'max-split:hidden' : ''}`}
        >
          <SchemaForm
            of={of}
            onSubmit={draft.autosave.flush}
            onBlur={onBlur}
            data-hook="agent-form"
            hidden={section === 'tests'}
            className="max-w-[800px]"
          >
            {me.mayEdit ? null : (
              <p className="pb-6 text-muted">
                You can view agents but not edit them. Ask an editor or owner for access.
              </p>
            )}
            <fieldset disabled={!me.mayEdit} className="min-w-0">
              {isJson ? (
                <div data-section="json">
                  <JsonField />
                </div>
              ) : (
                <AgentSections
                  {...choices}
                  prompt={<PromptSize trial={trial} draft={draft} />}
                  type={agent.type}
                  section={section === 'try' ? 'setup' : section}
                />
              )}
            </fieldset>
          </SchemaForm>
          {sendsOut(agent) && secrets !== undefined ? (
            <div hidden={section !== 'setup' && section !== 'try'} className="max-w-[800px] pt-8">
              <AgentSecrets agentId={agent.agentId} external={isExternal} secrets={secrets} />
            </div>
          ) : null}
          {section === 'tests' ? (
            <TestsSection draft={draft} versions={history.map(({ revision }) => revision)} />
          ) : null}
          <div hidden={section !== 'versions'} className="max-w-[800px]">
            <AgentHistory
              agentId={agent.agentId}
              revisions={history}
              draft={draft.draft}
              mayEdit={me.mayEdit}
              onRestored={revision => draft.load(`Published as version ${revision}.`)}
            />
          </div>
        </div>
        {mayTry ? (
          <aside
            aria-label={isExternal ? 'Connection test' : 'Try it'}
            className={`min-h-0 min-w-0 split:col-start-2 split:row-start-2 split:border-l ${section === 'try' ? '' : section === 'tests' ? 'max-[1600px]:hidden' : 'max-split:hidden'}`}
          >
            {isExternal ? (
              <TestAgent agentId={agent.agentId} />
            ) : isSplit || section === 'try' || trial.sessionId !== undefined ? (
              <TryPane draft={draft} trial={trial} config={config} />
            ) : null}
          </aside>
        ) : null}
      </div>
    </div>
  )
}

/** True if the agent sends requests to other services. An embedded tool might. */
const sendsOut = (agent: AgentConfig) =>
  agent.type === 'external' || agent.chat.tools.some(tool => 'where' in tool || '@ag.embed' in tool)
