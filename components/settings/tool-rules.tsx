'use client'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Section } from '#components/ui/section.tsx'
import { Grants } from './grants.tsx'
import { ToolRuleFields } from './tool-rule-fields.tsx'
import { faultsIn, type RuleFaults, ruleOf, textsOf } from './tool-rule-texts.ts'
import { usePutWorkspace } from './use-put-workspace.ts'

type Ruled = { toolRules: readonly ToolRule[] }

/**
 * Edits the rules that deny or allow tool calls, or require approval (docs/approvals.md). `ruled` is
 * undefined if the user is not an owner.
 */
export function ToolRules({
  ruled,
  grants = []
}: {
  ruled: Ruled | undefined
  grants?: readonly Grant[] | undefined
}) {
  return (
    <Section title="Tool rules" hook="tool-rules">
      {ruled === undefined ? (
        <p className="text-muted">Only workspace owners can view and change tool rules.</p>
      ) : (
        <>
          <RuleList saved={ruled.toolRules} />
          <Grants grants={grants} />
        </>
      )}
    </Section>
  )
}

function RuleList({ saved }: { saved: readonly ToolRule[] }) {
  const [rules, setRules] = useState(() => saved.map(textsOf))
  const [faults, setFaults] = useState<RuleFaults[]>([])
  const { busy, said, say, put } = usePutWorkspace()
  const changed = JSON.stringify(rules.map(ruleOf)) !== JSON.stringify(saved.map(textsOf).map(ruleOf))

  const change = (next: typeof rules) => {
    setRules(next)
    say({ text: '' })
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setFaults([])
    say({ text: '' })
    const kept = await put({ toolRules: rules.map(ruleOf) }, refusal => {
      const found = faultsIn(refusal.fields)
      setFaults(found)
      return found.length > 0
    })
    if (kept !== undefined) setRules(kept.toolRules.map(textsOf))
  }

  return (
    <>
      <p className="max-w-[68ch]">
        Waystation checks every tool call against these rules. Calls that match a “Deny” pattern never run.
        Calls that match an “Allow” pattern run without approval. “Otherwise” applies to all other calls.
      </p>
      <form onSubmit={save} noValidate className="flex flex-col gap-3">
        <p className="max-w-[68ch] text-muted">
          Each line is a case-insensitive regular expression. Waystation looks for matches in{' '}
          <code className="font-mono text-mono">{'{"parameters":{…},"tool":"…"}'}</code>.
        </p>
        {rules.length === 0 ? (
          <p data-hook="no-tool-rules" className="text-muted">
            No rules yet.
          </p>
        ) : null}
        {rules.map((texts, at) => (
          <ToolRuleFields
            key={texts.id}
            name={`Rule ${at + 1}`}
            texts={texts}
            faults={faults[at]}
            change={next => change(rules.with(at, next))}
            remove={() => {
              change(rules.toSpliced(at, 1))
              setFaults(faults.toSpliced(at, 1))
            }}
          />
        ))}
        <SaveLine act="Save rules" disabled={busy || !changed} said={said}>
          <Button
            onClick={() => change([...rules, textsOf({})])}
            disabled={rules.length >= 100}
            data-hook="add-tool-rule"
          >
            Add rule
          </Button>
        </SaveLine>
      </form>
    </>
  )
}
