import type { TestSet } from '@waystation/protocol/agent/test-set.ts'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'

/** Reads the test sets of an agent. */
export const useTestSets = (agentId: string) =>
  useRead<{ testSets: TestSet[] }>({
    queryKey: ['test-sets', agentId],
    queryFn: () => client.call('listTestSets', { path: { agentId } }) as Promise<{ testSets: TestSet[] }>
  })
