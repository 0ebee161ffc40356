import type { PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import { ViewIcon } from '#components/plugins/views/view-icon.tsx'
import { Section } from '#components/ui/section.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Named, Skipped } from './plugin-parts.tsx'
import { allows } from './plugin-words.ts'

/**
 * Shows what a plugin provides, so that an owner can decide about it. `of` ends the headings, if the page also shows what
 * the plugin provided before.
 */
export function Review({ review, of = '' }: { review: PluginReview; of?: string }) {
  const { name, version, about, capabilities, events, tools, views, skipped, problem, plainText } = review
  return (
    <div data-hook="plugin-review" className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-col gap-0.5 [overflow-wrap:anywhere]">
        <h2 className="flex items-center gap-2 text-title font-semibold">
          {about.icon === undefined ? null : <ViewIcon name={about.icon} />}
          {name}
        </h2>
        <p>
          <VisibleText text={about.description} />
        </p>
        <p className="text-muted">
          <VisibleText text={`Version ${version}, by ${about.author}`} />
        </p>
      </div>
      {plainText ? (
        <p data-hook="plain-text" role="note" className="max-w-[68ch] border-l-2 border-l-fail pl-4">
          This address has no TLS. Settings and prompts cross the network in plain text. Use remotes:// if you
          can.
        </p>
      ) : null}
      {problem === undefined ? null : (
        <p data-hook="plugin-problem" className="max-w-[68ch] text-fail">
          <VisibleText text={`${problem} Enter its settings, then read its manifest again.`} />
        </p>
      )}
      <Section title={`Permissions${of}`}>
        {capabilities.length === 0 ? (
          <p className="text-muted">Not known until the plugin registers.</p>
        ) : (
          <dl data-hook="capabilities" className="flex max-w-[68ch] flex-col gap-2">
            {capabilities.map(capability => (
              <div key={capability}>
                <dt className="font-semibold">{allows[capability].name}</dt>
                <dd>
                  {allows[capability].words}
                  {capability === 'hooks' ? (
                    <span className="text-muted">
                      {' '}
                      {events.length === 9 ? 'It receives all nine events.' : `Events: ${events.join(', ')}.`}
                    </span>
                  ) : null}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
      <Named
        title={`Tools${of}`}
        items={tools.map(({ name, description }) => ({ name, words: description }))}
      />
      <Named title={`Views${of}`} items={views.map(({ name, label }) => ({ name, words: label }))} />
      <Skipped skipped={skipped} />
    </div>
  )
}
