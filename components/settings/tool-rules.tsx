'use client'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import { ToolRules as Rules } from '@waystation/protocol/call/tool-rules.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { checkValues } from '#components/forms/check-values.ts'
import { Form } from '#components/forms/form.tsx'
import { placeErrors } from '#components/forms/place-errors.ts'
import { SaveBar } from '#components/forms/save-bar.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Option } from '#components/ui/combobox.tsx'
import { Empty } from '#components/ui/empty.tsx'
import type { Said } from '#components/ui/outcome.tsx'
import { Grants } from './grants.tsx'
import { RuleFields } from './rule-fields.tsx'
import { type RuleRow, rowsOf, rulesOf } from './rule-rows.ts'
import { RuleTester } from './rule-tester.tsx'
import { OwnerSection, SettingSection } from './setting-section.tsx'
import { useUnsaved } from './use-unsaved.ts'

type ToolRulesProps = {
  workspace: Workspace | undefined
  grants?: readonly Grant[] | undefined
  /** The names of the server's tools. */
  tools: readonly string[]
}

/**
 * Edits and tests the rules that deny or allow tool calls, or require approval (docs/approvals.md). `workspace`
 * is undefined if the user is not an owner.
 */
export const ToolRules = ({ workspace, grants, tools }: ToolRulesProps) => (
  <>
    <OwnerSection
      title="Tool rules"
      hook="tool-rules"
      saved={workspace}
      intro={meanings.map(([decision, meaning]) => (
        <span key={decision} className="flex">
          <span className="w-14 shrink-0 font-semibold text-ink">{decision}</span> {meaning}
        </span>
      ))}
    >
      {saved => <RuleList workspace={saved} tools={tools.map(name => ({ value: name, label: name }))} />}
    </OwnerSection>
    {grants === undefined ? null : <Grants grants={grants} />}
  </>
)

/** The decisions of a rule, in the order in which they apply. */
const meanings = [
  ['Deny', 'blocks the call. It always comes first.'],
  ['Allow', 'runs the call without approval. With conditions, it comes before Ask.'],
  ['Ask', 'requires approval of the call.']
] as const

/** A row with the key of its list item. */
type KeyedRow = RuleRow & { key: number }

const keyed = (rows: readonly RuleRow[]): KeyedRow[] => rows.map((row, key) => ({ ...row, key }))

function RuleList({ workspace: { id, toolRules }, tools }: { workspace: Workspace; tools: Option[] }) {
  const router = useRouter()
  const [saved, setSaved] = useState(() => rowsOf(toolRules))
  const [rows, setRows] = useState(() => keyed(saved))
  const [errors, setErrors] = useState<readonly string[]>([])
  const [said, setSaid] = useState<Said>({ text: '' })
  const [decides, setDecides] = useState(-1)
  const [refreshing, refresh] = useTransition()
  const { rules, paths } = rulesOf(rows)
  const isChanged = canonicalJson(rules) !== canonicalJson(rulesOf(saved).rules)
  const isRestored = useUnsaved({ id: `${id}:toolRules`, saved, values: rows, isChanged, restore: setRows })
  const change = (next: KeyedRow[]) => {
    setRows(next)
    setErrors([])
    setDecides(-1)
    setSaid({ text: '' })
  }
  /** Shows errors at their rows. Returns those that belong to no row. */
  const place = (found: Readonly<Record<string, string>>): string => {
    const { at, rest } = placeErrors(found, paths)
    setErrors(paths.map(path => at.get(path) ?? ''))
    return rest.join(' ')
  }
  const [save, busy] = useAction(async () => {
    const wrong = Object.entries(checkValues(Rules, rules))
    if (wrong.length > 0) {
      const text = place(Object.fromEntries(wrong.map(([path, message]) => [`toolRules.${path}`, message])))
      return setSaid({ text, failed: true })
    }
    const reply = await replyTo(client.call('updateWorkspace', { body: { toolRules: rules } }))
    if (!reply.ok) {
      const { fields } = reply.error
      const rest = fields === undefined ? changeError(reply) : place(fields)
      return setSaid({ text: rest, failed: true })
    }
    setSaved(rowsOf(reply.body.toolRules))
    setRows(keyed(rowsOf(reply.body.toolRules)))
    setSaid({ text: 'Saved.' })
    refresh(() => router.refresh())
  })
  const add = () => {
    const key = Math.max(-1, ...rows.map(row => row.key)) + 1
    change([...rows, { key, tool: '', condition: { kind: 'any' }, decision: 'ask' }])
  }
  return (
    <>
      <Form onSubmit={save} className="flex flex-col gap-4">
        {rows.length === 0 ? (
          <Empty title="No rules yet" data-hook="no-tool-rules">
            Until you add one, the setting of each agent applies.
          </Empty>
        ) : (
          <ol className="isolate border-t">
            {rows.map((row, at) => (
              <RuleFields
                key={row.key}
                at={at}
                row={row}
                tools={tools}
                decides={at === decides}
                fault={errors[at]}
                onChange={next => change(rows.map(one => (one === row ? { ...next, key: row.key } : one)))}
                onRemove={() => change(rows.filter(one => one !== row))}
              />
            ))}
          </ol>
        )}
        <Button
          tone="primary"
          onClick={add}
          data-hook="add-tool-rule"
          className={rows.length === 0 ? '-mt-6 self-center' : 'self-start'}
        >
          Add rule
        </Button>
        <SaveBar
          isChanged={isChanged}
          isRestored={isRestored}
          disabled={busy || refreshing}
          said={said}
          onDiscard={() => {
            change(keyed(saved))
            setSaid({ text: 'Changes discarded.' })
          }}
        />
      </Form>
      {rows.length === 0 ? null : (
        <div className="pt-6">
          <SettingSection
            title="Which rule applies?"
            hook="rule-tester"
            intro="Tests a call with the rules above, saved or not. Nothing runs."
          >
            <RuleTester rows={rows} rules={rules} tools={tools} onDecided={setDecides} />
          </SettingSection>
        </div>
      )}
    </>
  )
}
