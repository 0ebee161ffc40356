import { TabLinks } from '#components/workspace/tab-links.tsx'

const tabs = [
  { href: '/connections', label: 'Services' },
  { href: '/connections/mcp', label: 'MCP servers' }
]

/** Links to the pages of the connections. */
export const ConnectionTabs = ({ open }: { open: string }) => (
  <TabLinks label="Connections" tabs={tabs} open={open} />
)
