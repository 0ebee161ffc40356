import type { TestSet } from '@waystation/protocol/agent/test-set.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTestSets } from '#components/agents/test-sets/use-test-sets.ts'
import { sectionHref } from '#components/agents/use-section.ts'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

/** Adds a message to one of the agent's test sets, or to a new one. */
export function AddToTestSet({ agentId, text }: { agentId: string; text: string }) {
  const router = useRouter()
  const [news, setNews] = useState('')
  const sets = useTestSets(agentId).data?.testSets ?? []
  const add = async (set: TestSet) => {
    const path = { agentId, testSetId: set.id }
    const reply = await replyTo(client.call('addTestMessage', { path, body: { text } }))
    setNews(reply.ok ? `Added to ${set.name}` : changeError(reply))
  }
  const create = async () => {
    const body = { name: `Test set ${sets.length + 1}`, messages: [text] }
    const reply = await replyTo(client.call('createTestSet', { path: { agentId }, body }))
    if (reply.ok) router.push(`/agents/${agentId}${sectionHref('tests', reply.body.id)}`)
    else setNews(changeError(reply))
  }
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="text-muted">
        {news}
      </span>
      <Menu align="end" trigger={<Button data-hook="add-to-test-set">Add to test set</Button>}>
        {sets.map(set => (
          <MenuItem key={set.id} onSelect={() => void add(set)}>
            {set.name}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => void create()}>New test set</MenuItem>
      </Menu>
    </div>
  )
}
