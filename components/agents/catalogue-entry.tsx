'use client'
import type { CatalogueEntry } from '@waystation/protocol/agent/catalogue.ts'
import { useOf, withUse } from '@waystation/protocol/agent/catalogue-use.ts'
import { useRouter } from 'next/navigation'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { ChevronIcon } from '#components/ui/icons.tsx'
import { Json } from '#components/ui/json.tsx'
import { Section } from '#components/ui/section.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Page } from '#components/workspace/page.tsx'
import { Parameters } from '#components/workspace/parameters.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddToAgent } from './add-to-agent.tsx'
import { factsOf, lineOf } from './catalogue-words.ts'
import { EntryForm } from './entry-form.tsx'

/** An entry of the catalog with its input or text, its agents and its reference. Editors can change own entries. */
export function CatalogueEntryPage({ entry }: { entry: CatalogueEntry }) {
  const { me } = useWorkspace()
  const { slug, name, kind, description, own, archived, unavailable } = entry
  const use = useOf(entry)
  const lead = own ? description : lineOf(entry)
  const { tool, text } = entry.data.parameters as {
    tool?: { description?: string; inputSchema?: object; outputSchema?: object }
    text?: string
  }
  const modelText = tool?.description ?? description
  return (
    <Page
      title={name}
      above={{ href: '/catalogue', label: 'Catalog' }}
      actions={
        me.mayEdit && use !== undefined ? (
          <AddToAgent
            name={entry.name}
            act="Add to agent…"
            description="The entry is added to the agent's draft. Sessions use it after you publish the draft."
            addTo={config => withUse(config, use)}
            nothingToAdd={owner => `${owner} already has this entry in this version.`}
          />
        ) : null
      }
    >
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-1 [overflow-wrap:anywhere]">
          {archived ? (
            <p data-hook="entry-archived" className="border-l-2 border-l-rail pl-4">
              This entry is archived. Agents that use it are not affected. Save a new version to restore it.
            </p>
          ) : null}
          <p className="max-w-[68ch] text-person whitespace-pre-wrap">
            <VisibleText text={lead} />
          </p>
          <p className="text-muted first-letter:uppercase">
            {[`${own ? 'own ' : ''}${kind}`, slug === name ? '' : slug, entry.version, factsOf(entry)]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {unavailable === undefined ? null : <p className="text-fail">{unavailable}</p>}
        </div>
        {modelText === '' || modelText === lead ? null : (
          <Section title={kind === 'tool' ? 'Text for the model' : 'Description'}>
            <p className="max-w-[68ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
              <VisibleText text={modelText} />
            </p>
          </Section>
        )}
        {tool?.inputSchema === undefined ? null : (
          <Section title="Input">
            <Parameters schema={tool.inputSchema as Record<string, unknown>} of={name} />
          </Section>
        )}
        {tool?.outputSchema === undefined ? null : (
          <Section title="Output">
            <Parameters schema={tool.outputSchema as Record<string, unknown>} of={`the output of ${name}`} />
          </Section>
        )}
        {entry.approval === undefined ? null : (
          <Section title="Approval">
            <p data-hook="entry-approval">
              {entry.alwaysAsked
                ? 'A person always approves each call.'
                : entry.approval === 'ask'
                  ? 'A person approves each call, unless an agent changes this.'
                  : 'Runs without approval, unless an agent changes this.'}
            </p>
          </Section>
        )}
        {text === undefined ? null : (
          <Section title="Text">
            <p className="max-w-[68ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
              <VisibleText text={text} />
            </p>
          </Section>
        )}
        <Users entry={entry} />
        {use === undefined ? null : (
          <details>
            <summary className="tap w-fit font-semibold">Reference as JSON</summary>
            <div className="pt-2">
              <Json label={`An entry of chat.${use.list}`} value={use.value} />
            </div>
          </details>
        )}
        {own && me.mayEdit ? (
          <Section title="New version">
            <EntryForm entry={entry} />
            {archived ? null : <ArchiveEntry slug={slug} name={name} />}
          </Section>
        ) : null}
      </div>
    </Page>
  )
}

/** Lists the agents that use an entry, with the version of each. */
function Users({ entry: { usedBy, version, own } }: { entry: CatalogueEntry }) {
  return (
    <Section title="Used by" hook="entry-users">
      {usedBy.length === 0 ? (
        <p className="text-muted">No agent uses this entry.</p>
      ) : (
        <Rows>
          {usedBy.map(user => (
            <Row
              key={`${user.agentId} ${user.version}`}
              href={`/agents/${encodeURIComponent(user.agentId)}`}
              name={user.displayName}
              actions={
                <span className="flex items-center gap-2 text-muted">
                  {own ? versionWords(user.version, version) : null}
                  <ChevronIcon />
                </span>
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  )
}

const versionWords = (version: string | undefined, newest = ''): string =>
  version === undefined ? 'newest version' : version === newest ? version : `${version}, newest: ${newest}`

/** Archives an own entry, after a confirmation. */
function ArchiveEntry({ slug, name }: { slug: string; name: string }) {
  const router = useRouter()
  return (
    <ConfirmButton
      data-hook="archive-entry"
      tone="danger"
      className="self-start"
      title={`Archive ${name}?`}
      description="The catalog no longer offers the entry. Agents that use it are not affected."
      act="Archive entry"
      onAct={async () => {
        const reply = await replyTo(client.catalogue.archive(slug))
        if (!reply.ok) return changeError(reply)
        router.refresh()
      }}
    >
      Archive entry…
    </ConfirmButton>
  )
}
