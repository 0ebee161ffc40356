import { TabLinks } from '#components/workspace/tab-links.tsx'

const tabs = [
  { href: '/activity', label: 'Signals' },
  { href: '/activity/deliveries', label: 'Deliveries' }
]

/** Links to the pages about what sessions receive and send. */
export const ActivityTabs = ({ open }: { open: string }) => (
  <TabLinks label="Activity" tabs={tabs} open={open} data-hook="activity-tabs" />
)
